import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { embeddingFrom, MODEL, scratchFolder } from '../device/testing/folder.ts'
import { idOf, manifestWith, personWith, takenOf, versionOf } from '../device/testing/objects.ts'
import type { HoldingsChange, TakenPerson } from '../device/store.ts'
import { openStore, type TerminalStore } from './store.ts'

const [ANN, BOB] = [idOf('ann'), idOf('bob')] as const
const OF_ANN = {
  cards: ['1234567890', 'staff-7'],
  idNumber: '11010119900307123X',
  personalPassword: '4711098',
  cardPassword: '654321',
  qrCodes: ['GATE/secret/ann'],
  handprints: ['cGFsbSBvZiBhbm4='],
}

function open(folder: string): TerminalStore {
  const store = openStore({ folder, code: 'GATE-1', model: MODEL })
  onTestFinished(() => {
    try {
      store.close()
    } catch {
      // Closed by the test.
    }
  })
  return store
}

function changeWith(id: string, credentials: TakenPerson['credentials'], seed: number | null = 1, version = versionOf(1)): HoldingsChange {
  const { faces, ...person } = takenOf(personWith(id, embeddingFrom(seed ?? 0), { version }))
  return {
    persons: [{ ...person, ...(credentials && { credentials }), faces: seed === null ? [] : faces }],
    exceptions: [],
    removed: [],
    position: { audience: 'audience-1', cursor: 1 },
  }
}

test('what somebody shows is found again, after a restart too, and nothing of it stands on the disk', () => {
  const folder = scratchFolder()
  const first = open(folder)
  first.holdings.take(changeWith(ANN, OF_ANN))
  first.secrets.keep({ revision: 'r', devicePassword: '24681357', console: { account: 'admin', password: 'console-secret' }, wifi: null })
  const looks = ({ holdings: { credentials } }: TerminalStore) => [
    credentials.holderOf('card', '1234567890'),
    credentials.holderOf('card', '01234567890'),
    credentials.holderOf('card', 'staff-7'),
    credentials.holderOf('idNumber', '11010119900307123x'),
    credentials.holderOf('personalPassword', '4711098'),
    credentials.holderOf('qrCode', 'GATE/secret/ann'),
    credentials.holderOf('handprint', 'cGFsbSBvZiBhbm4='),
  ]
  expect(looks(first)).toEqual(Array.from({ length: 7 }, () => ANN))
  first.close()
  const second = open(folder)
  expect(looks(second)).toEqual(Array.from({ length: 7 }, () => ANN))
  expect(second.secrets.read()).toMatchObject({ devicePassword: '24681357' })
  expect([
    second.holdings.credentials.isCardPassword(ANN, '654321'),
    second.holdings.credentials.isCardPassword(ANN, '4711098'),
    second.holdings.credentials.isCardPassword(BOB, '654321'),
  ]).toEqual([true, false, null])
  expect(second.holdings.credentials.holderOf('card', '654321')).toBeNull()
  const disk = Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name)))).toString('latin1')
  for (const secret of [
    '1234567890',
    '11010119900307123X',
    '4711098',
    '654321',
    'GATE/secret',
    'cGFsbSBvZiBhbm4',
    '24681357',
    'console-secret',
  ])
    expect(disk).not.toContain(secret)
})

test('another card takes the place of the one before, and who is gone is found by nothing', () => {
  const { holdings } = open(scratchFolder())
  holdings.take(changeWith(ANN, OF_ANN))
  holdings.take(changeWith(ANN, { ...OF_ANN, cards: ['77'] }, 1, versionOf(2)))
  expect([holdings.credentials.holderOf('card', '1234567890'), holdings.credentials.holderOf('card', '77')]).toEqual([null, ANN])
  holdings.take(changeWith(ANN, null, 1, versionOf(3)))
  expect(holdings.credentials.holderOf('card', '77')).toBeNull()
  holdings.take(changeWith(BOB, OF_ANN))
  holdings.take({ persons: [], exceptions: [], removed: [BOB], position: null })
  expect(holdings.credentials.holderOf('idNumber', OF_ANN.idNumber)).toBeNull()
})

test('what is of two persons names neither', () => {
  const { holdings } = open(scratchFolder())
  holdings.take(changeWith(ANN, OF_ANN))
  holdings.take(changeWith(BOB, { ...OF_ANN, cards: ['5'] }, 2))
  expect([holdings.credentials.holderOf('personalPassword', '4711098'), holdings.credentials.holderOf('card', '5')]).toEqual([null, BOB])
})

test('who has a card and no photograph can be recognised; whose faces alone failed keeps the card, and is named', () => {
  const folder = scratchFolder()
  const first = open(folder)
  first.holdings.take(changeWith(ANN, OF_ANN, null))
  const [{ faces: _, ...besides }] = changeWith(BOB, { ...OF_ANN, cards: ['5'], personalPassword: null }, null).persons as [TakenPerson]
  first.holdings.take({
    persons: [],
    exceptions: [{ personId: BOB, version: versionOf(1), reason: 'photoRefused', besides }],
    removed: [],
    position: null,
  })
  const stands = ({ holdings }: TerminalStore) => [
    holdings.counts(),
    [...holdings.exceptions().values()],
    holdings.credentials.holderOf('card', '5'),
    holdings.person(BOB)?.enabled,
    holdings.person(ANN)?.enabled,
  ]
  const expected = [{ persons: 1, failed: 1 }, [{ personId: BOB, version: versionOf(1), reason: 'photoRefused' }], BOB, true, true]
  expect(stands(first)).toEqual(expected)
  first.close()
  expect(stands(open(folder))).toEqual(expected)
})

test('under another key everybody is fetched anew, for nobody would be found', () => {
  const folder = scratchFolder()
  const first = open(folder)
  first.holdings.apply(manifestWith())
  first.holdings.take(changeWith(ANN, OF_ANN, null))
  first.close()
  writeFileSync(join(folder, 'key'), randomBytes(32))
  const { holdings, secrets } = open(folder)
  expect([holdings.position(), holdings.counts().persons, secrets.read()]).toEqual([null, 0, null])
  holdings.take(changeWith(ANN, OF_ANN, null))
  expect(holdings.credentials.holderOf('card', '1234567890')).toBe(ANN)
})

test('the distance to one person is that of the nearest of their faces', () => {
  const { holdings } = open(scratchFolder())
  holdings.take(changeWith(ANN, null))
  expect(holdings.nearestOf(ANN, embeddingFrom(1))).toEqual({ distance: 0, contactId: null })
  expect(holdings.nearestOf(ANN, embeddingFrom(2))?.distance).toBeGreaterThan(0.5)
  expect(holdings.nearestOf(BOB, embeddingFrom(1))).toBeNull()
})
