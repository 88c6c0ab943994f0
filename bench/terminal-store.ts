/**
 * Measures the start of a terminal with all persons in its store, each with a face, a card, a number and a password; and a lookup by card.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../apps/terminal/src/store/store.ts'
import type { BenchResult } from './result.ts'
import { settings } from './settings.ts'

const PERSONS = settings.TERMINAL_PERSONS
const PAGE = 500
const MODEL = { modelId: 'bench', dimensions: 128 }
const LOOKUPS = 1_000
/** Milliseconds the issue requires with 50,000. */
const START = 3_000

export async function run(): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-terminal-'))
  try {
    fill(folder)
    const name = `${PERSONS.toLocaleString('en')} persons`
    const started = performance.now()
    const store = openStore({ folder, code: 'bench', model: MODEL })
    const start = performance.now() - started
    if (store.holdings.faces() !== PERSONS) throw new Error(`the store holds ${store.holdings.faces()} faces`)
    const times = Array.from({ length: LOOKUPS }, (_, place) => {
      const number = (place * 7_919) % PERSONS
      const from = performance.now()
      if (store.holdings.credentials.holderOf('card', cardOf(number)) !== idOf(number))
        throw new Error(`the card of ${number} is not found`)
      return performance.now() - from
    }).toSorted((one, other) => one - other)
    store.close()
    return [
      { name: `${name}: start`, value: start, unit: 'ms', ...(PERSONS === 50_000 && { goal: START }) },
      { name: `${name}: whose card, p50`, value: times[LOOKUPS / 2]!, unit: 'ms' },
      { name: `${name}: whose card, p99`, value: times[Math.floor(LOOKUPS * 0.99)]!, unit: 'ms' },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const idOf = (number: number) => `person-${number}-${(number % 256).toString(16).padStart(2, '0')}`
const cardOf = (number: number) => String(4_000_000_000 + number)

function fill(folder: string): void {
  const store = openStore({ folder, code: 'bench', model: MODEL })
  const embedding = new Float32Array(MODEL.dimensions)
  for (let from = 0; from < PERSONS; from += PAGE) {
    const persons = Array.from({ length: Math.min(PAGE, PERSONS - from) }, (_, place) => {
      const number = from + place
      for (let at = 0; at < embedding.length; at++) embedding[at] = Math.random() * 0.2 - 0.1
      return {
        id: idOf(number),
        version: number.toString(16).padStart(16, '0'),
        name: `Person ${number}`,
        workNumber: String(number),
        enabled: true,
        validFrom: null,
        validTo: null,
        strategyIds: ['all'],
        faceThreshold: null,
        lookAlikes: [],
        credentials: {
          cards: [cardOf(number)],
          idNumber: `11010119900307${number}`,
          personalPassword: String(100_000 + number),
          cardPassword: null,
          qrCodes: [],
          handprints: [],
        },
        faces: [{ faceId: `face-${number}`, template: Buffer.from(embedding.buffer).toString('base64') }],
      }
    })
    store.holdings.take({ persons, exceptions: [], removed: [], position: { audience: 'bench', cursor: from + persons.length } })
  }
  store.close()
}
