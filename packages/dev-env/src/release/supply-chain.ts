/** The contents of a release, and their publicly known weaknesses. */
import { z } from 'zod'

/** A weakness that the registry knows of. */
export interface Finding {
  /** `GHSA-…`, or the registry's number where there is none. */
  id: string
  package: string
  title: string
}

/** Findings that a release may have, and why; each is reviewed when its time is over. */
const accepted = z.array(z.strictObject({ id: z.string().min(1), reason: z.string().min(1), until: z.iso.date() }))
export type AcceptedFinding = z.infer<typeof accepted>[number]

/** Return the accepted findings of a file. Throw for an entry without a reason or an end. */
export const readAccepted = (text: string): AcceptedFinding[] => accepted.parse(JSON.parse(text))

const SERIOUS = ['high', 'critical']

const report = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({
      // A name alone points to the package that has the weakness itself.
      via: z.array(
        z.union([
          z.string(),
          z.object({
            source: z.union([z.number(), z.string()]),
            name: z.string(),
            title: z.string(),
            url: z.string(),
            severity: z.string(),
          }),
        ]),
      ),
    }),
  ),
})

/** Return what `npm audit --json` reports as high or critical, each once; null where the registry was not asked or gave no report. */
export function findingsOf(text: string): Finding[] | null {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    return null
  }
  const { data } = report.safeParse(content)
  if (data === undefined) return null
  const all = Object.values(data.vulnerabilities)
    .flatMap(({ via }) => via)
    .filter((one) => typeof one !== 'string')
    .filter(({ severity }) => SERIOUS.includes(severity))
    .map(({ source, name, title, url }) => ({ id: /GHSA-[\w-]+/.exec(url)?.[0] ?? String(source), package: name, title }))
  return [...new Map(all.map((one) => [one.id, one])).values()].toSorted((a, b) => a.id.localeCompare(b.id))
}

/** Return the findings that are not accepted, or whose acceptance has expired. @param date as `2026-11-23` */
export const openFindings = (findings: readonly Finding[], list: readonly AcceptedFinding[], date: string): Finding[] =>
  findings.filter(({ id }) => !list.some((one) => one.id === id && one.until >= date))

interface Component {
  'bom-ref': string
  name: string
  version: string
  purl: string
}
interface Bill {
  serialNumber?: string
  metadata: { timestamp?: string; component: Component }
  components: Component[]
}

const OWN = /((?:@|%40)gatehouse\/[\w-]+|\bgatehouse)@[\w.-]+$/
const isOwn = ({ 'bom-ref': reference }: Component): boolean => OWN.test(reference)

/**
 * Return the bill of materials that `npm sbom` wrote, for a version. It does not depend on who writes it: it has no time and no number of
 * the run.
 */
export function billOf(text: string, version: string): string {
  const renamed = JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? value.replace(OWN, `$1@${version}`) : value)) as Bill
  delete renamed.serialNumber
  delete renamed.metadata.timestamp
  renamed.metadata.component.name = 'gatehouse'
  for (const component of [renamed.metadata.component, ...renamed.components]) if (isOwn(component)) component.version = version
  return `${JSON.stringify(renamed, null, 1)}\n`
}
