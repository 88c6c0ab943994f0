/** All people with photos at one door: one photo is enrolled, and others are shown to the terminal. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { CallRefused } from '@gatehouse/dev-env/client'
import { openPhotographs, type PhotographedPerson } from '@gatehouse/dev-env/photographs'
import { startWorld, type MadePerson, type World, type WorldTerminal } from '@gatehouse/dev-env/world'
import { depth } from './depth.ts'

const photographs = openPhotographs()
const isReal = photographs.kind === 'real'
if (!isReal)
  console.log(
    'The photographs of real people are not there; drawn ones say nothing about recognition, so the door is not tried with everybody.',
  )

/** Other photos shown of each person. One each covers all people; about fifty decisions are enough for the rates below. */
const SHOWN = depth({ usual: 1, soak: Infinity })

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`

describe.skipIf(!isReal)('a door for everybody', () => {
  let world: World
  let terminal: WorldTerminal
  /** The enrolled people, each with the number of the enrolled photo. */
  const enrolled = new Map<PhotographedPerson, { person: MadePerson; by: number }>()
  let refusedAtEnrolment = 0

  beforeAll(async () => {
    world = await startWorld()
    terminal = await world.terminal()
    // A mistake is reported with its similarity.
    terminal.showCheckDetails(true)
    for (const somebody of photographs.people) await enrol(somebody)
    await world.strategy({ persons: [...enrolled.values()].map(({ person }) => person), devices: [terminal.device] })
    await world.settled()
  })
  afterAll(() => world?.stop())

  /** Enrol a person with the first photo that is good enough, as at a counter. */
  async function enrol(somebody: PhotographedPerson): Promise<void> {
    for (let number = 1; number <= somebody.count; number++) {
      try {
        enrolled.set(somebody, { person: await world.person({ name: somebody.name, photo: await somebody.photo(number) }), by: number })
        return
      } catch (error) {
        if (!(error instanceof CallRefused) || error.status !== 200) throw error
        refusedAtEnrolment++
      }
    }
  }

  test('recognises most, mistakes hardly anybody, and records every passage', async () => {
    expect(photographs.people.length).toBe(55)
    expect(enrolled.size).toBe(55)
    const tally = { recognised: 0, rejected: 0, wrong: 0, unusable: 0 }
    const mistakes: string[] = []
    const recordIds: string[] = []
    for (const [somebody, { person, by }] of enrolled) {
      const others = Array.from({ length: somebody.count }, (_, at) => at + 1).filter((number) => number !== by)
      for (const number of others.slice(0, SHOWN)) {
        const verdict = await terminal.show(await somebody.photo(number))
        if (verdict.recordId !== null) recordIds.push(verdict.recordId)
        if (verdict.reason !== null) tally.unusable++
        else if (verdict.verdict === 'rejected') tally.rejected++
        else if (verdict.personId === person.id) tally.recognised++
        else {
          tally.wrong++
          mistakes.push(`${somebody.identity} ${number} taken for ${verdict.personName} (${verdict.score?.toFixed(1)})`)
        }
      }
    }
    const { recognised, rejected, wrong, unusable } = tally
    const seen = recognised + rejected + wrong
    console.log(
      [
        `${enrolled.size} people, one photograph each; ${refusedAtEnrolment} photographs were refused at registration.`,
        `${seen + unusable} other photographs: ${unusable} showed no face to decide about.`,
        `Of ${seen}: recognised ${recognised} (${percent(recognised, seen)}), ` +
          `rejected ${rejected} (${percent(rejected, seen)}), taken for somebody else ${wrong} (${percent(wrong, seen)}).`,
        ...mistakes,
      ].join('\n'),
    )
    // 221 of 242 when this was written, with no wrong match; the rest leaves room for another version of a decoder.
    expect(recognised / seen).toBeGreaterThan(0.85)
    expect(wrong / seen).toBeLessThan(0.01)

    await world.settled()
    const { total } = await world.call(recordCalls.find, { body: { deviceId: terminal.device.id } })
    expect(new Set(recordIds).size).toBe(recordIds.length)
    expect(total).toBe(recordIds.length)
  })

  test('lets in nobody who is not registered, more often than its false accept rate allows', async () => {
    const strangers = [...enrolled].filter((_, index) => index % 2 === 0)
    const residents = [...enrolled].filter((_, index) => index % 2 === 1)
    const door = await world.terminal()
    await world.strategy({ persons: residents.map(([, { person }]) => person), devices: [door.device] })
    await world.settled()
    let shown = 0
    const admitted: string[] = []
    for (const [somebody, { by }] of strangers) {
      const verdict = await door.show(await somebody.photo(by))
      shown++
      if (verdict.verdict === 'allowed') admitted.push(`${somebody.identity} as ${verdict.personName}`)
    }
    console.log(`${shown} people who may not pass, against ${residents.length} who may: ${admitted.length} let in. ${admitted.join(', ')}`)
    // At two false accepts in ten thousand pairs, 27 residents admit about one stranger in two hundred.
    expect(admitted.length).toBeLessThanOrEqual(1)
  })
})
