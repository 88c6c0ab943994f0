/** What a `User-Agent` is, in words people know: enough to tell the phone from the computer at the gate. */
const BROWSERS: readonly [RegExp, string][] = [
  [/MicroMessenger/, 'WeChat'],
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/HarmonyOS/, 'HarmonyOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux|X11/, 'Linux'],
]

const named = (names: readonly [RegExp, string][], agent: string): string | undefined => names.find(([pattern]) => pattern.test(agent))?.[1]

/** Browser and system; undefined where they are not known. */
export const browserOf = (agent: string): { browser: string | undefined; system: string | undefined } => ({
  browser: named(BROWSERS, agent),
  system: named(SYSTEMS, agent),
})
