//! Every point of a plan tried before any runs: a grid that fails at its last corner after a night is worse than
//! one that is refused at once.

use super::plan::Plan;
use crate::engine::reference::check_step;
use crate::error::{Error, Problem, Problems};
use crate::render::{Engine, Order};
use crate::scene::Scene;
use rayon::prelude::*;

/// Builds every point and asks for its step and length; equal findings are told once.
pub fn check_points(plan: &Plan) -> Result<(), Error> {
    let all: Vec<Vec<Problem>> =
        (0..plan.len()).into_par_iter().map(|point| problems_at(plan, point)).collect();
    let mut told: Vec<(Problem, usize, usize)> = Vec::new();
    for (point, found) in all.into_iter().enumerate() {
        for problem in found {
            match told.iter_mut().find(|(known, ..)| *known == problem) {
                Some((.., times)) => *times += 1,
                None => told.push((problem, point, 1)),
            }
        }
    }
    let problems = told.into_iter().map(|(mut problem, point, times)| {
        if plan.len() > 1 {
            let first = plan.name(point);
            problem.place = format!("{} at {times} of {} points, first {first}", problem.place, plan.len());
        }
        problem
    });
    Problems(problems.collect()).or(())
}

fn problems_at(plan: &Plan, point: usize) -> Vec<Problem> {
    let checked = plan.draft(point).build().and_then(|scene| check_scene(&scene, &plan.order));
    match checked {
        Ok(()) => Vec::new(),
        Err(Error::Input(found)) => found.0,
        Err(other) => vec![Problem::new("point", other, "cannot be run", "change its values")],
    }
}

/// What the engine would refuse after the start.
fn check_scene(scene: &Scene, order: &Order) -> Result<(), Error> {
    let mut problems = Problems::default();
    problems.gather(order.fits(scene))?;
    problems.gather(order.outlasts_skip(scene))?;
    // The real-time engine has a step of its own and is stable at any.
    if order.engine == Engine::Reference {
        problems.gather(check_step(scene, &scene.profiles()?, scene.run.step_s))?;
    }
    problems.or(())
}
