import type { Call } from '@gatehouse/contract'
import { cardCalls } from '@gatehouse/contract/cards/calls'
import { sql } from '@gatehouse/server/platform/database/database'
import { drawnFace } from '../fixtures.ts'
import type { Ground, CallCase } from './case.ts'

const LEADER = '00112233445566778899AABBCCDDEEFF'
const OFFLINE: CallCase['lastWord'] = [200, 400205]
/** Card numbers of the samples. */
let numbers = 4_000_000

/** Create a leader key where the park has none. */
async function keyed({ site }: Ground): Promise<void> {
  const [leader] = await site.call(cardCalls.keys, {})
  if (leader!.status === 'notCreated')
    await site.call(cardCalls.createKey, { body: { type: 'leader', name: 'Leader', value: LEADER, confirmation: LEADER } })
}

/** Create a collector that is not connected. */
const collector = async ({ site }: Ground): Promise<string> => (await site.device({ type: 13 })).id

async function writing(ground: Ground): Promise<string> {
  await keyed(ground)
  return (await ground.site.call(cardCalls.startWrite, { body: { kind: 'leader', cardType: 0, deviceId: await collector(ground) } })).id
}
const ofWriting = async (ground: Ground) => ({ id: await writing(ground) })

/** Store a palm as a collector would have sent it. */
async function palm({ world, site }: Ground): Promise<{ id: string }> {
  const { db, storage } = world.server.platform
  const [scope, id, { id: personId }] = [{ parkId: site.park.id }, crypto.randomUUID(), await site.person()]
  const fileId = await storage.savePicture(scope, await drawnFace(), 'palm')
  await sql`INSERT INTO person_palm (id, park_id, person_id, device_id, device_name, file_id, created_at)
    VALUES (${id}, ${scope.parkId}, ${personId}, ${crypto.randomUUID()}, 'Desk', ${fileId}, now())`.execute(db)
  return { id }
}

/** Return a sample card: dates in order, and a number no card has yet. */
const card = () => ({ type: 0, number: String(++numbers), effectiveDate: '2026-01-01', expiryDate: '2099-12-31' })

export const cases: readonly CallCase[] = [
  { call: cardCalls.createKey, given: () => ({ type: 'leader', value: LEADER, confirmation: LEADER, replace: true }) },
  {
    call: cardCalls.startWrite,
    given: async (ground) => {
      await keyed(ground)
      return { kind: 'leader', deviceId: await collector(ground) }
    },
  },
  { call: cardCalls.write, given: ofWriting },
  { call: cardCalls.writeNext, given: async (ground) => ({ ...(await ofWriting(ground)), seconds: 1 }), lastWord: OFFLINE },
  { call: cardCalls.writeAgain, given: ofWriting },
  { call: cardCalls.stopWrite, given: ofWriting },
  {
    call: cardCalls.issue,
    given: async (ground) => ({ ...card(), personId: (await ground.site.person()).id, deviceId: await collector(ground) }),
  },
  {
    call: cardCalls.revoke,
    given: async ({ site }) => ({
      ids: [(await site.call(cardCalls.issue, { body: { ...card(), type: 0, personId: (await site.person()).id } })).id],
    }),
  },
  { call: cardCalls.collect, given: async (ground) => ({ deviceId: await collector(ground) }), lastWord: OFFLINE },
  {
    call: cardCalls.enrolPalm,
    given: async (ground) => ({ deviceId: await collector(ground), personId: (await ground.site.person()).id }),
    lastWord: OFFLINE,
  },
  { call: cardCalls.deletePalm, given: palm },
  // No palm was requested.
  { call: cardCalls.sendPalm, given: () => ({ id: crypto.randomUUID() }), lastWord: [404, 404] },
]

/** A list shows at least one row of what these calls read. */
export const listed: readonly Call[] = [cardCalls.revoke]
