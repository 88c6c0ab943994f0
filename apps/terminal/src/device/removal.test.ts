/** Which servers a device believes about its removal, and what it does then. */
import { createHash, createHmac } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import { removalText } from '@gatehouse/contract/device/removal'
import { createKeptRecords } from '../console/kept-records.ts'
import { openStore } from '../store/store.ts'
import { startDevice } from './device.ts'
import { embeddingFrom, MODEL, scratchFolder, until } from './testing/folder.ts'
import { DEVICE, idOf, personWith } from './testing/objects.ts'
import { startTestServer, type RemovalAsked, type TestServer } from './testing/server.ts'

const [ANN, BOB] = [idOf('ann'), idOf('bob')]
const proof = (secret: string, text: string): string =>
  createHmac('sha256', createHash('sha256').update(secret).digest()).update(text).digest('base64url')
const saidOf = ({ done }: RemovalAsked) => (done ? 'done' : 'asked')

/** The answer of a server that deleted a device; by default that of the test. */
function removing({ deviceId = DEVICE.deviceId, secret = DEVICE.secret, answered = (_: RemovalAsked) => {} } = {}): NonNullable<
  TestServer['removal']
> {
  return (asked) => {
    answered(asked)
    const { code, nonce } = asked
    if (asked.proof !== proof(DEVICE.secret, removalText(saidOf(asked), code, nonce))) return null
    return { deviceId, proof: proof(secret, removalText('removed', code, nonce, deviceId)) }
  }
}

const passage = (personId: string): Omit<RecordObject, 'seq'> => ({
  occurredAt: 1_760_000_000_000,
  personId,
  personName: `Name of ${personId}`,
  result: 1,
  failReason: null,
  verifyType: 1,
  direction: 1,
  score: 90,
  checks: '[]',
  revision: 'r',
  hasPicture: true,
})

/** A device that stores two persons and the records of both, the second undelivered, and whose secret is refused. */
async function refused() {
  const server = await startTestServer()
  onTestFinished(() => server.stop())
  const folder = scratchFolder()
  const sentences: string[] = []
  server.audience.put(
    personWith(ANN, embeddingFrom(1), {
      credentials: { cards: ['4711'], idNumber: null, personalPassword: '2580', cardPassword: null, qrCodes: [], handprints: [] },
    }),
    personWith(BOB, embeddingFrom(2)),
  )
  function start() {
    const store = openStore({ folder, code: DEVICE.code, model: MODEL })
    const device = startDevice({
      server: server.url,
      code: DEVICE.code,
      secret: DEVICE.secret,
      store,
      modelId: MODEL.modelId,
      version: '1',
      log: (sentence) => void sentences.push(sentence),
      operateDoor: async () => ({ isSuccess: true, errorType: null }),
      retry: { first: 20, limit: 50 },
    })
    let stopped: Promise<void> | null = null
    const stop = () => (stopped ??= device.stop().then(() => store.close()))
    onTestFinished(stop)
    return { store, device, stop, kind: () => device.state().link.kind }
  }
  const terminal = start()
  const { store, device, kind } = terminal
  await until('the persons are held', () => store.holdings.counts().persons === 2 && kind() === 'online')
  device.addPicture(device.appendRecord(passage(ANN))!.id, Buffer.from('a picture'))
  await until('the record is delivered', () => store.outbox.length() === 0)
  server.acknowledging = false
  device.appendRecord(passage(BOB))
  await until('the other is sent', () => server.arrivals.length === 2)
  /** All stored data of persons. */
  const kept = (of = store) => ({
    persons: [...of.holdings.versions()].length,
    records: createKeptRecords(of.database, of.vault).count(),
    cards: of.database.prepare('SELECT * FROM credential').all().length,
  })
  expect(kept()).toEqual({ persons: 2, records: 2, cards: 1 })
  const refuse = () => {
    server.secret = 'another'
    server.cut()
  }
  return { server, sentences, start, kept, refuse, ...terminal }
}

test('a device whose server proves its removal drops everything, counts what was never delivered, and reports until heard', async () => {
  const { server, store, kind, kept, refuse, sentences, start, stop } = await refused()
  const asked: string[] = []
  let heard = false
  const answer = removing({ answered: (one) => asked.push(saidOf(one)) })
  server.removal = (one) => (one.done && !heard ? null : answer(one))
  const epoch = store.outbox.epoch()
  refuse()
  await until('it is removed', () => kind() === 'removed')
  expect(kept()).toEqual({ persons: 0, records: 0, cards: 0 })
  expect([store.deviceId(), store.removed(), store.pictures.length(), store.outbox.length()]).toEqual([null, DEVICE.deviceId, 0, 0])
  expect(store.outbox.epoch()).not.toBe(epoch)
  expect(sentences.join('\n')).toMatch(/removed this device\. 2 persons .* 1 of these/)
  expect(asked.filter((one) => one === 'asked')).toHaveLength(1)
  await stop()

  // The same holds after a restart, and while the server is away.
  heard = true
  const again = start()
  await until('it says so again', () => again.kind() === 'removed')
  await until('the server has heard', () => asked.at(-1) === 'done')
  expect(kept(again.store)).toEqual({ persons: 0, records: 0, cards: 0 })

  // A server restored from an earlier backup knows the device again.
  server.secret = DEVICE.secret
  server.acknowledging = true
  await until('the persons are back', () => again.kind() === 'online' && kept(again.store).persons === 2)
  expect([again.store.deviceId(), again.store.removed()]).toEqual([DEVICE.deviceId, null])
})

test.each([
  ['does not know such a call', null],
  ['proves it by another secret', removing({ secret: 'a guess' })],
  ['means another device', removing({ deviceId: 'device-of-another-installation' })],
  [
    'answers what any server could',
    (({ proof: own }) => ({ deviceId: DEVICE.deviceId, proof: own })) as NonNullable<TestServer['removal']>,
  ],
])('a server that %s makes it forget nobody', async (_, removal) => {
  const { server, store, kind, kept, refuse } = await refused()
  let asked = 0
  server.removal = removal && ((one) => (asked++, removal(one)))
  refuse()
  await until('it is refused', () => kind() === 'refused')
  if (removal) await until('it has asked', () => asked >= 2)
  expect(kind()).toBe('refused')
  expect(kept()).toEqual({ persons: 2, records: 2, cards: 1 })
  expect([store.deviceId(), store.removed()]).toEqual([DEVICE.deviceId, null])
})
