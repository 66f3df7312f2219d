UNWIND range(1, $count) AS cycle
CREATE (:PheromoneSample {
  palace: $palace, cycle: cycle, at: datetime(), exploitation: 1.0, exploration: 0.0, success: 0.0, traversal: 0.0, recency: 0.0
})
