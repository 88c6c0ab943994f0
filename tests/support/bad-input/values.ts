/** Values no field expects. */

/** Nested arrays, deeper than any valid body. */
export const deepArray = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

/** For a field of a JSON body. */
export const WRONG_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '💥',
  '-1',
  'NaN',
  "'; --",
  '%',
  '_',
  '../..',
  'x'.repeat(100_000),
  [],
  {},
  [null],
  [[]],
  ['\0'],
  [{}],
  { id: {} },
  { $ne: null },
  { __proto__: null, constructor: 1 },
  Array.from({ length: 2000 }, () => 'x'),
  JSON.parse(deepArray(1000)),
]

/** For a parameter of the path or the query, as the server reads it. Two values of one name arrive as a list. */
export const WRONG_TEXTS: readonly (string | readonly string[])[] = [
  '',
  '\0',
  'a\0b',
  '-1',
  '1e999',
  'NaN',
  'null',
  '[]',
  '../..',
  '💥',
  '\ufffd',
  'x'.repeat(3000),
  "' OR 1=1",
  '%',
  '_',
  'a/b',
  ['1', '2'],
  Array.from({ length: 1000 }, () => 'x'),
]

/** Percent encodings that parsers of addresses interpret differently. They are tried on each kind of route, since the router reads them. */
export const WRONG_ENCODINGS: readonly string[] = [
  '%00',
  'a%00b',
  '%F0%28%8C%28',
  '%ED%A0%80',
  '%',
  '%zz',
  '..%2F..',
  '%25',
  '%F0%9F%92%A5',
]
