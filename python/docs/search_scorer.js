// Scores of the search: guides and how-to pages first, then the API, then measured results.
const BOOSTS = [
  [/^api\//, -12],
  [/^gallery\//, -8],
  [/^reproduction/, -25],
  [/^(bayes-|alpha-trees|hddt-and|releases|architecture|add-a-)/, -12],
  [/^(decisions|calibration|sampling|groups|command-line|costs|evaluate|input-data|jobs|guide-[\w-]+)$/, 12],
];
// The page that explains a term, for terms that occur on many pages.
const FIRST = {
  threshold: "decisions",
  alerts: "decisions",
  calibration: "calibration",
  smote: "sampling",
  resampling: "sampling",
  csv: "guide-without-programming",
  spreadsheet: "guide-without-programming",
  groups: "groups",
  costs: "costs",
  fraud: "guide-card-fraud",
  parquet: "larger-than-memory",
  lightgbm: "coming-from-lightgbm",
  install: "install",
};

var Scorer = {
  // A result is [page, title, anchor, description, score, file name, kind].
  score: ([page, , anchor, , score]) => {
    const query = (new URLSearchParams(window.location.search).get("q") || "").trim().toLowerCase();
    const boost = BOOSTS.reduce((sum, [pattern, points]) => sum + (pattern.test(page) ? points : 0), 0);
    const first = FIRST[query] === page ? (anchor ? 60 : 80) : 0;
    return score + boost + first;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
