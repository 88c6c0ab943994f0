/**
 * Return these fields as a change states them; what it leaves out stays as it was. A limit that is left out is thereby no limit taken
 * away: only a change that says so lets somebody pass longer, or somebody else.
 */
export function leftAsItWas<Before extends object>(
  before: Before,
  change: { [Field in keyof Before]?: Before[Field] | undefined },
): Before {
  const fields = Object.keys(before) as (keyof Before)[]
  return Object.fromEntries(fields.map((field) => [field, change[field] === undefined ? before[field] : change[field]])) as Before
}
