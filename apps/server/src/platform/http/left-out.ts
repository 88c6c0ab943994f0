/**
 * Return these fields as a change states them; fields that it leaves out keep their values. Leaving out a limit must not remove it:
 * access may become wider only by an explicit change.
 */
export function leftAsItWas<Before extends object>(
  before: Before,
  change: { [Field in keyof Before]?: Before[Field] | undefined },
): Before {
  const fields = Object.keys(before) as (keyof Before)[]
  return Object.fromEntries(fields.map((field) => [field, change[field] === undefined ? before[field] : change[field]])) as Before
}
