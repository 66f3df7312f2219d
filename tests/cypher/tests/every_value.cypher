// every_value: a node with a value of every type that Neo4j keeps.
// params:  data (bytes)
// returns:
// runs:    implicit transaction
CREATE (:Odd:Values {
  whole: 9223372036854775807, one: 1, one_float: 1.0, tiny: 5e-324, third: 1.0 / 3, minus_zero: -0.0, infinite: 1.0 / 0.0,
  text: 'ä \u2028 😀 " \\', empty: '', yes: true, data: $data, texts: ['a', ''], floats: [0.1, 2.0], none: [],
  summer: datetime('2026-10-25T02:30:00.123456789+02:00[Europe/Berlin]'),
  winter: datetime('2026-10-25T02:30:00+01:00[Europe/Berlin]'),
  utc: datetime('2026-01-01T00:00:00Z'), offset: datetime('2026-01-01T00:00:00+05:30'),
  local: localdatetime('2026-01-01T00:00:00.5'), day: date('2024-02-29'), days: [date('2024-02-29')],
  clock: time('12:00+02:00'), local_clock: localtime('12:00:00.000000001'), while: duration('P1M2DT-3.5S'),
  place: point({longitude: 1.5, latitude: 2.5, height: 3.5}), places: [point({x: 1, y: 2})]
})-[:ODD {at: datetime('2026-01-01T00:00:00Z')}]->(:Odd)
