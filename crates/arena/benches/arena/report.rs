//! The figures, to read and for machines.

use crate::rounds::Work;

#[derive(Default)]
pub(crate) struct Report {
    figures: Vec<(String, &'static str, Vec<f64>)>,
    rows: Vec<Row>,
}

struct Row {
    metric: String,
    unit: &'static str,
    ours: f64,
    peer: String,
    theirs: f64,
    goal: Option<f64>,
}

impl Report {
    /// Figures of one scene: for each work, one for each number of threads from 1.
    pub(crate) fn add(&mut self, scene: &str, works: &[Box<dyn Work>], figures: &[Vec<f64>]) {
        for (work, figures) in works.iter().zip(figures) {
            self.figures.push((scene.to_owned(), work.name(), figures.clone()));
        }
    }

    fn figure(&self, scene: &str, name: &str, threads: usize) -> f64 {
        let found = self.figures.iter().find(|(s, n, _)| s == scene && *n == name);
        found.expect("it was measured").2[threads - 1]
    }

    /// A ratio of two figures.
    pub(crate) fn compare(
        &mut self,
        scene: &str,
        ours: &str,
        threads: usize,
        peer: &str,
        of: usize,
        goal: Option<f64>,
    ) {
        let figures = (self.figure(scene, ours, threads), self.figure(scene, peer, of));
        let metric = format!("{scene}_{threads}t");
        let peer = if ours == peer { format!("{peer}_{of}t") } else { peer.to_owned() };
        self.row(&metric, ours, "ns", figures.0, &peer, figures.1, goal);
    }

    /// A ratio.
    #[expect(clippy::too_many_arguments, reason = "they are the columns")]
    pub(crate) fn row(
        &mut self,
        scene: &str,
        metric: &str,
        unit: &'static str,
        ours: f64,
        peer: &str,
        theirs: f64,
        goal: Option<f64>,
    ) {
        let metric = format!("{scene}.{metric}");
        self.rows.push(Row { metric, unit, ours, peer: peer.to_owned(), theirs, goal });
    }

    pub(crate) fn print(&self) {
        println!("nanoseconds per operation and thread");
        println!("{:<18} {:<22} {:>10} {:>10}", "scene", "candidate", "1 thread", "2 threads");
        for (scene, name, figures) in &self.figures {
            println!("{scene:<18} {name:<22} {:>10.2} {:>10.2}", figures[0], figures[1]);
        }
        println!();
        println!(
            "{:<34} {:>9} {:<22} {:>9} {:>6} {:>5}",
            "ratio of", "ours", "to", "theirs", "ratio", "goal"
        );
        for Row { metric, ours, peer, theirs, goal, .. } in &self.rows {
            let ratio = ours / theirs;
            let goal = goal.map_or("-".into(), |goal| {
                format!("{goal} {}", if ratio <= goal { "met" } else { "MISSED" })
            });
            println!("{metric:<34} {ours:>9.2} {peer:<22} {theirs:>9.2} {ratio:>6.2} {goal:>5}");
        }
        println!();
        for Row { metric, unit, ours, peer, theirs, goal } in &self.rows {
            let goal = goal.map_or("-".to_owned(), |goal| goal.to_string());
            println!("ROW\tarena\t{metric}\t{unit}\t{ours:.3}\t{peer}\t{theirs:.3}\t{goal}");
        }
    }
}
