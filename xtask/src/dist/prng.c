/* Windows 10 has this function in bcryptprimitives.dll, and Rust's standard library takes its seeds from it. Wine has the
   library since its version 9; for older ones this stands in. It is tried with, never packed. */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T count)
{
    return RtlGenRandom(bytes, (ULONG)count);
}
