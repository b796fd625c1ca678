//! The tables of `asperity shocks`: CSV for eyes and spreadsheets, one NPZ for everything.

use std::path::Path;

use super::Findings;
use crate::error::Error;
use crate::io::npz::{Column, write_npz};
use crate::io::part::write_whole;
use crate::record::{ContactSample, Shock};

impl Findings<'_> {
    fn x_m(&self, shock: &Shock) -> f64 {
        f64::from(shock.node) * self.scene.step_m
    }

    pub fn write_tables(&self, folder: &Path) -> Result<(), Error> {
        self.write_shocks(&folder.join("shocks.csv"))?;
        self.write_distributions(&folder.join("distributions.csv"))?;
        self.write_contact(&folder.join("contact.csv"))?;
        write_whole(&folder.join("node.csv"), |out| {
            writeln!(out, "time_s,force_n_m")?;
            self.run.node.forces.iter().try_for_each(|(time_s, force)| writeln!(out, "{time_s:?},{force:?}"))
        })?;
        write_npz(&folder.join("shocks.npz"), &self.columns())?;
        let summary = serde_json::to_string_pretty(&self.summary())
            .map_err(|error| Error::Other(format!("the summary has no JSON form: {error}")))?;
        write_whole(&folder.join("shocks.json"), |out| writeln!(out, "{summary}"))
    }

    fn write_shocks(&self, path: &Path) -> Result<(), Error> {
        write_whole(path, |out| {
            writeln!(
                out,
                "profile,node,x_m,start_s,duration_s,peak_force_n_m,peak_force_weights,energy_j_m"
            )?;
            self.run.shocks.iter().try_for_each(|shock| {
                writeln!(
                    out,
                    "{},{},{:?},{:?},{:?},{:?},{:?},{:?}",
                    shock.profile,
                    shock.node,
                    self.x_m(shock),
                    shock.start_s,
                    shock.duration_s,
                    shock.peak_force_n_m,
                    shock.peak_force_n_m / self.study.weight_n_m,
                    shock.energy_j_m
                )
            })
        })
    }

    fn write_distributions(&self, path: &Path) -> Result<(), Error> {
        write_whole(path, |out| {
            writeln!(out, "quantity,from,to,count,share,share_below_to")?;
            for property in self.study.properties() {
                let shares = property.histogram.shares(property.distribution.len());
                for ((from, to, share), count) in shares.zip(&property.histogram.counts) {
                    let below = property.distribution.share_below(to);
                    writeln!(out, "{},{from:?},{to:?},{count},{share:?},{below:?}", property.name)?;
                }
            }
            Ok(())
        })
    }

    fn write_contact(&self, path: &Path) -> Result<(), Error> {
        write_whole(path, |out| {
            writeln!(out, "time_s,nodes,spots,contact_length_m,mean_separation_m,force_n_m,max_force_n_m")?;
            self.run.history.iter().try_for_each(|sample| {
                writeln!(
                    out,
                    "{:?},{:?},{:?},{:?},{:?},{:?},{:?}",
                    sample.time_s,
                    sample.nodes,
                    sample.spots,
                    sample.length_m,
                    sample.separation_m,
                    sample.force_n_m,
                    sample.max_force_n_m
                )
            })
        })
    }

    fn columns(&self) -> Vec<(String, Column)> {
        let all = &self.run.shocks;
        let shocks = |value: &dyn Fn(&Shock) -> f64| Column::Numbers(all.iter().map(value).collect());
        let whole = |value: fn(&Shock) -> i64| Column::Whole(all.iter().map(value).collect());
        let history =
            |value: fn(&ContactSample) -> f64| Column::Numbers(self.run.history.iter().map(value).collect());
        let node =
            |value: fn(&(f64, f64)) -> f64| Column::Numbers(self.run.node.forces.iter().map(value).collect());
        let weight = self.study.weight_n_m;
        let named = [
            ("profile", whole(|shock| i64::from(shock.profile))),
            ("node", whole(|shock| i64::from(shock.node))),
            ("x_m", shocks(&|shock| self.x_m(shock))),
            ("start_s", shocks(&|shock| shock.start_s)),
            ("duration_s", shocks(&|shock| shock.duration_s)),
            ("peak_force_n_m", shocks(&|shock| shock.peak_force_n_m)),
            ("peak_force_weights", shocks(&|shock| shock.peak_force_n_m / weight)),
            ("energy_j_m", shocks(&|shock| shock.energy_j_m)),
            ("weight_n_m", Column::Numbers(vec![weight])),
            ("contact_time_s", history(|sample| sample.time_s)),
            ("contact_nodes", history(|sample| sample.nodes)),
            ("contact_spots", history(|sample| sample.spots)),
            ("contact_length_m", history(|sample| sample.length_m)),
            ("contact_mean_separation_m", history(|sample| sample.separation_m)),
            ("contact_force_n_m", history(|sample| sample.force_n_m)),
            ("contact_max_force_n_m", history(|sample| sample.max_force_n_m)),
            ("node_time_s", node(|(time_s, _)| *time_s)),
            ("node_force_n_m", node(|(_, force)| *force)),
        ];
        named.into_iter().map(|(name, column)| (name.to_owned(), column)).collect()
    }
}
