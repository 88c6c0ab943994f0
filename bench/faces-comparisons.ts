/** Comparisons of the photos of one engine, in every way that is measured: pairs, and searches of a list with different enrolments. */
import type { ComparedPair, Probe } from '@gatehouse/face-engine/measure/identification'

export interface Embedded {
  person: number
  embedding: readonly number[]
}

/** Return the distance of a photo from the enrolled photos of a person. */
export type Comparing = (probe: Embedded, enrolled: readonly Embedded[]) => number

/** As a gallery does it: the nearest photo counts. */
export const nearestOf: Comparing = (probe, enrolled) => Math.min(...enrolled.map((one) => distance(probe.embedding, one.embedding)))

/** Distance from the mean of the enrolled photos, scaled to their average length: embeddings of unit length keep it. */
export const meanOf: Comparing = (probe, enrolled) => distance(probe.embedding, template(enrolled))

const templates = new WeakMap<readonly Embedded[], number[]>()

function template(enrolled: readonly Embedded[]): number[] {
  const enrolledTemplate = templates.get(enrolled)
  if (enrolledTemplate) return enrolledTemplate
  const mean = enrolled[0]!.embedding.map((_, i) => enrolled.reduce((sum, { embedding }) => sum + embedding[i]!, 0) / enrolled.length)
  const length = enrolled.reduce((sum, { embedding }) => sum + Math.hypot(...embedding), 0) / enrolled.length
  const made = mean.map((number) => (number * length) / Math.hypot(...mean))
  templates.set(enrolled, made)
  return made
}

function distance(a: readonly number[], b: readonly number[]): number {
  let squared = 0
  for (let i = 0; i < a.length; i++) squared += (a[i]! - b[i]!) ** 2
  return Math.sqrt(squared)
}

/** Every pair of photos once. */
export function everyPair(photographs: readonly Embedded[]): ComparedPair[] {
  return photographs.flatMap((one, at) =>
    photographs
      .slice(0, at)
      .map((other) => ({ first: other.person, second: one.person, distance: distance(one.embedding, other.embedding) })),
  )
}

/** Return every two photos of a person, compared with each photo that is not among them. */
export function everyTwoAndOne(photographs: readonly Embedded[], comparing: Comparing): ComparedPair[] {
  return [...Map.groupBy(photographs, ({ person }) => person)].flatMap(([person, own]) =>
    own.flatMap((one, at) =>
      own.slice(0, at).flatMap((other) => {
        const enrolled = [one, other]
        return photographs.flatMap((probe) =>
          enrolled.includes(probe) ? [] : [{ first: person, second: probe.person, distance: comparing(probe, enrolled) }],
        )
      }),
    ),
  )
}

/** Number of searches of a list, each time with the next photos enrolled. */
const TURNS = 5

/** Search for all other photos of all people in a list in which each is enrolled with `enrolments` photos. */
export function searches(photographs: readonly Embedded[], enrolments: number, comparing: Comparing): Probe[] {
  const people = [...Map.groupBy(photographs, ({ person }) => person)].filter(([, own]) => own.length > enrolments)
  return Array.from({ length: TURNS }).flatMap((_, turn) => {
    const list = people.map(([person, own]) => ({
      person,
      enrolled: Array.from({ length: enrolments }, (__, at) => own[(turn + at) % own.length]!),
    }))
    return list.flatMap(({ person, enrolled: mine }, at) =>
      people[at]![1].filter((probe) => !mine.includes(probe)).map((probe) => {
        const others = list
          .filter((other) => other.person !== person)
          .map(({ enrolled }) => comparing(probe, enrolled))
          .sort((a, b) => a - b)
        return { person, mate: comparing(probe, mine), others: [others[0]!, others[1]!] as const }
      }),
    )
  })
}
