//! Committees: members of any kind that SQL knows, heard by their rule.

use super::said::{Own, Said, plain, shared, shifted};
use crate::fitted::Fitted;
use imbcore_base::sql::{Query, Sums};
use imbcore_base::{Result, Schema};
use imbcore_ensemble::committee::{Committee, Join, Rule, Staged, Voice, seen};
use imbcore_tree::TreeModel;

/// Whoever tells what a member says of the features of a schema; rows may lack values or not.
type Says = fn(&Fitted, &mut Query, &Schema, bool) -> Result<Said>;

/// What the members of a committee say together, each as `says` tells.
pub(super) fn of_committee(
    committee: &Committee<Fitted>,
    query: &mut Query,
    (schema, holes): (&Schema, bool),
    says: Says,
) -> Result<Said> {
    let mut hearing = Hearing { committee, schema, holes, says, lacking: Vec::new() };
    let ballot = committee.ballot();
    let laws = match &ballot.rule {
        Rule::Staged(staged) => hearing.staged(staged, query)?,
        Rule::Votes => {
            let shares = hearing.shares(0..ballot.votes.len(), query)?;
            votes_law(query, &shares)?
        }
        Rule::Soft | Rule::Hard => hearing.shares(0..ballot.votes.len(), query)?,
    };
    let proba = shifted(ballot.shift.as_ref(), query, &laws)?;
    Ok(Said { own: Own::Most(laws), proba: Some(proba), lacking: hearing.lacking })
}

/// A committee that is being heard on the rows of a query.
struct Hearing<'a> {
    committee: &'a Committee<Fitted>,
    schema: &'a Schema,
    holes: bool,
    says: Says,
    /// Conditions under which some member has no answer.
    lacking: Vec<String>,
}

impl Hearing<'_> {
    /// Columns of what some members say of each class, over their votes.
    fn shares(&mut self, members: std::ops::Range<usize>, query: &mut Query) -> Result<Vec<String>> {
        let votes = self.votes(members.clone());
        let sums = self.sums(members, query)?;
        let votes = query.dialect().number(votes);
        let shares = sums.iter().map(|sum| query.add(format!("{sum} / {votes}")));
        let shares = shares.collect::<Result<Vec<_>>>()?;
        query.close()?;
        Ok(shares)
    }

    /// Votes of some members, added up in their order.
    fn votes(&self, members: std::ops::Range<usize>) -> f64 {
        self.committee.ballot().votes[members].iter().fold(0.0, |sum, vote| sum + vote)
    }

    /// Columns of the votes of some members for each class.
    fn sums(&mut self, members: std::ops::Range<usize>, query: &mut Query) -> Result<Vec<String>> {
        let ballot = self.committee.ballot();
        let mut sums = Sums::new(ballot.n_classes);
        for at in members {
            let schema = seen(self.schema, &ballot.columns[at]);
            let (member, vote) = (&self.committee.members()[at], ballot.votes[at]);
            let terms = match member.tree() {
                Some(tree) if !(tree.shares_missing() && self.holes) => {
                    tree_terms(tree, (vote, ballot.rule.voice()), query, &schema)?
                }
                _ => {
                    let mut said = (self.says)(member, query, &schema, self.holes)?;
                    self.lacking.append(&mut said.lacking);
                    terms(&said, (vote, ballot.rule.voice()), ballot.n_classes, query)?
                }
            };
            sums.add(query, terms)?;
        }
        sums.close(query)
    }

    /// Laws of members in stages.
    fn staged(&mut self, staged: &Staged, query: &mut Query) -> Result<Vec<String>> {
        let (ends, join, thetas, positive) = staged.parts();
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let stages: Vec<_> = starts.zip(ends).map(|(start, &end)| start as usize..end as usize).collect();
        let dialect = query.dialect();
        if join == Join::Mean {
            let mut laws = Sums::new(self.committee.ballot().n_classes);
            for stage in &stages {
                let shares = self.shares(stage.clone(), query)?;
                let law = votes_law(query, &shares)?;
                laws.add(query, law)?;
            }
            let n_stages = dialect.number(stages.len() as f64);
            let sums = laws.close(query)?;
            let found = sums.iter().map(|sum| query.add(format!("{sum} / {n_stages}"))).collect();
            query.close()?;
            return found;
        }
        let mut scores = Vec::with_capacity(stages.len());
        for (stage, theta) in stages.iter().zip(thetas) {
            let votes = self.votes(stage.clone());
            let of_class = &self.sums(stage.clone(), query)?[positive as usize];
            let [two, number, theta] = [2.0, votes, *theta].map(|number| dialect.number(number));
            scores.push(match join {
                Join::All => query.add(format!("({two} * {of_class} - {number} - ({theta})) / {number}"))?,
                _ => query.add(format!("{two} * {of_class} - {number} - ({theta})"))?,
            });
            query.close()?;
        }
        let score = if join == Join::All {
            least(query, &scores)?
        } else {
            let votes: f64 = stages.iter().fold(0.0, |sum, stage| sum + self.votes(stage.clone()));
            let mut sum = Sums::new(1);
            for score in scores {
                sum.add(query, vec![score])?;
            }
            let sum = sum.close(query)?.concat();
            query.add(format!("{sum} / {}", dialect.number(votes)))?
        };
        query.close()?;
        law_of_score(query, &score, positive as usize)
    }
}

/// Terms of a tree whose rows go one way: in its leaves stand what it says times its vote.
fn tree_terms(
    tree: &TreeModel,
    (vote, voice): (f64, Voice),
    query: &Query,
    schema: &Schema,
) -> Result<Vec<String>> {
    let dialect = query.dialect();
    let says = |leaf: usize, class: usize| match voice {
        Voice::Law => vote * tree.node_proba(leaf)[class],
        Voice::Choice => vote * f64::from(u8::from(tree.node_class(leaf) == class)),
    };
    let term = |class: usize| tree.sql(|leaf| dialect.number(says(leaf, class)), plain(dialect, schema));
    (0..tree.tree().n_classes()).map(term).collect()
}

/// Terms of a member that says its say in columns.
fn terms(said: &Said, (vote, voice): (f64, Voice), n_classes: usize, query: &Query) -> Result<Vec<String>> {
    let dialect = query.dialect();
    match voice {
        Voice::Law => {
            let vote = dialect.number(vote);
            Ok(said.probabilities()?.iter().map(|p| format!("{vote} * {p}")).collect())
        }
        Voice::Choice => {
            let [nothing, vote] = [0.0, vote].map(|number| dialect.number(number));
            let one = |class: usize| {
                let says: Vec<String> = (0..n_classes)
                    .map(|other| if other == class { vote.clone() } else { nothing.clone() })
                    .collect();
                said.own.says(&says)
            };
            Ok((0..n_classes).map(one).collect())
        }
    }
}

/// Shares of votes as probabilities: the softmax of `f / (K - 1)` with `f_c = share_c - (1 - share_c) / (K - 1)`.
fn votes_law(query: &mut Query, shares: &[String]) -> Result<Vec<String>> {
    let dialect = query.dialect();
    let [one, others] = [1.0, (shares.len() - 1) as f64].map(|number| dialect.number(number));
    let score = |share: &String| query.add(format!("({share} - ({one} - {share}) / {others}) / {others}"));
    let scores = shares.iter().map(score).collect::<Result<Vec<_>>>()?;
    query.close()?;
    let grown = scores.iter().map(|score| query.add(dialect.exp(score))).collect::<Result<Vec<_>>>()?;
    query.close()?;
    shared(query, &grown)
}

/// The least of some columns, in a step that is open.
fn least(query: &mut Query, columns: &[String]) -> Result<String> {
    let Some((first, others)) = columns.split_first() else { return Ok(String::new()) };
    let mut least = first.clone();
    for other in others {
        query.close()?;
        least = query.add(format!("CASE WHEN {other} < {least} THEN {other} ELSE {least} END"))?;
    }
    Ok(least)
}

/// Probabilities of two classes by a score that the positive one has to exceed 0 by.
fn law_of_score(query: &mut Query, score: &str, positive: usize) -> Result<Vec<String>> {
    let dialect = query.dialect();
    let [zero, one, two, below] = [0.0, 1.0, 2.0, 0.5_f64.next_down()].map(|number| dialect.number(number));
    let half = query.add(format!("{one} / ({one} + {})", dialect.exp(&format!("(-{two} * {score})"))))?;
    query.close()?;
    let p =
        query.add(format!("CASE WHEN {score} > {zero} OR {half} < {below} THEN {half} ELSE {below} END"))?;
    query.close()?;
    let other = query.add(format!("{one} - {p}"))?;
    query.close()?;
    Ok(if positive == 1 { vec![other, p] } else { vec![p, other] })
}
