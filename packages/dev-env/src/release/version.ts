/** Versions of releases: three numbers, as semantic versioning counts them. */

const VERSION = /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/

/** Report whether a text is a version of a release, such as `1.4.0`. */
export const isVersion = (text: string): boolean => VERSION.test(text)

/** Report whether a version is above another one. */
export function isAbove(version: string, other: string): boolean {
  const [numbers, others] = [version, other].map((text) => text.split('.').map(Number)) as [number[], number[]]
  const differing = numbers.findIndex((number, place) => number !== others[place])
  return differing >= 0 && numbers[differing]! > others[differing]!
}
