import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { bucketOf } from '@gatehouse/contract/device/protocol'
import { openStore } from '../store/store.ts'
import { createStoredPersons } from './stored-persons.ts'
import { createSealedCredentials } from './sealed-credentials.ts'
import { createServerClient } from './server.ts'
import { createSynchroniser, type Embed } from './synchroniser.ts'
import { embeddingFrom, MODEL, scratchFolder } from './testing/folder.ts'
import { DEVICE, digestsOf, idOf, manifestWith, personWith, takenOf, versionOf } from './testing/objects.ts'
import { startTestServer } from './testing/server.ts'

/** A server with one audience, and a device that synchronises with it: each `pull` is as after a message of the server. */
async function holding({ embed }: { embed?: Embed } = {}) {
  const server = await startTestServer()
  const folder = scratchFolder()
  const store = openStore({ folder, code: DEVICE.code, model: MODEL })
  onTestFinished(async () => {
    store.close()
    await server.stop()
  })
  const { audience } = server
  const sentences: string[] = []
  const client = createServerClient({ server: server.url, ...DEVICE })
  const never = new AbortController().signal
  const sealedCredentials = createSealedCredentials()
  /** As after a start: only the stored data remain. */
  const start = () => {
    const stored = createStoredPersons(store.holdings)
    return {
      stored,
      synchroniser: createSynchroniser({
        client,
        stored,
        erasures: store.erasures,
        modelId: MODEL.modelId,
        log: (sentence) => void sentences.push(sentence),
        embed,
        sealedCredentials,
      }),
    }
  }
  let device = start()
  return {
    audience,
    sentences,
    holdings: store.holdings,
    erasures: store.erasures,
    differs: () => device.synchroniser.differs(audience.announcement()),
    state: () => device.stored.state(),
    recount: () => device.stored.recount(),
    restart: () => void (device = start()),
    pull: () => device.synchroniser.pull(audience.announcement(), never),
    /** As every hour, without a message of the server. */
    ask: () => device.synchroniser.pull(null, never),
    /** Pull, and return the persons sent meanwhile and the calls made. */
    async pulling() {
      audience.sent.length = 0
      audience.calls.length = 0
      await device.synchroniser.pull(audience.announcement(), never)
      return { sent: audience.sent.toSorted(), calls: [...audience.calls] }
    },
    /** Expect all persons in the server's version, and an equal digest. */
    agrees() {
      const here = new Map(store.holdings.versions())
      expect(here).toEqual(new Map([...audience.persons.values()].map(({ id, version }) => [id, version])))
      expect(device.stored.state()).toMatchObject({
        revision: audience.manifest.revision,
        audience: audience.manifest.audience,
        digest: audience.announcement().digest,
      })
      expect(device.stored.recount()).toBe(true)
      expect(device.synchroniser.differs(audience.announcement())).toBe(false)
    },
  }
}

const named = (count: number, from = 0) => Array.from({ length: count }, (_, place) => idOf(`person-${from + place}`))
const crowd = (count: number, from = 0) => named(count, from).map((id, place) => personWith(id, embeddingFrom(from + place)))

/** As after a fault of the device: the stored data no longer match the cursor. */
function plant(
  holdings: Awaited<ReturnType<typeof holding>>['holdings'],
  change: { gone?: string[]; persons?: ReturnType<typeof personWith>[] },
) {
  holdings.take({ persons: (change.persons ?? []).map(takenOf), exceptions: [], removed: change.gone ?? [], position: null })
}

test('who holds nobody takes whole shelves of 200 to 400 persons, each person once', async () => {
  const { audience, pulling, agrees, state } = await holding()
  audience.put(...crowd(1_500))
  const { sent, calls } = await pulling()
  expect(sent).toEqual(named(1_500).toSorted())
  expect(calls).toEqual(['manifest', 'digest', ...[0, 64, 128, 192].map((first) => `shelf/${first}/64`), 'changes'])
  expect(state()).toMatchObject({ cursor: 1_500, persons: 1_500, failed: 0 })
  agrees()
})

test('an audience of nobody is held after one look', async () => {
  const { pulling, agrees, state } = await holding()
  expect((await pulling()).calls).toEqual(['manifest', 'digest', 'changes'])
  expect(state()).toMatchObject({ cursor: 0, persons: 0 })
  agrees()
})

test('what changed since is taken page by page, the settings only where their revision differs', async () => {
  const { audience, pulling, agrees } = await holding()
  audience.put(...crowd(30))
  await pulling()
  audience.page = 10
  audience.put(...crowd(15, 30), ...crowd(5).map((person) => ({ ...person, version: versionOf(2) })))
  audience.remove(...named(3, 10))
  const { sent, calls } = await pulling()
  expect(calls).toEqual(['changes', 'changes', 'changes'])
  expect(sent).toEqual([...named(15, 30), ...named(5)].toSorted())
  agrees()

  audience.manifest = manifestWith({ revision: 'r-2', timeRules: [] })
  expect((await pulling()).calls).toEqual(['manifest', 'changes'])
  agrees()
})

test('a pull that is broken off goes on at the page it had come to, in another process too', async () => {
  const { audience, pull, pulling, restart, agrees, state } = await holding()
  audience.put(...crowd(10))
  await pull()
  audience.page = 10
  audience.put(...crowd(40, 10))
  let pages = 0
  audience.intercept = (call) => (call === 'changes' && ++pages > 2 ? { status: 503 } : null)
  await expect(pull()).rejects.toThrow(/503/)
  expect(state()).toMatchObject({ cursor: 30, persons: 30 })

  audience.intercept = () => null
  restart()
  expect((await pulling()).sent).toEqual(named(20, 30).toSorted())
  agrees()
})

test('a first load that is broken off fetches only the shelves still missing', async () => {
  const { audience, pull, pulling, restart, agrees, state } = await holding()
  audience.put(...crowd(1_500))
  audience.intercept = (call) => (call === 'shelf/128/64' ? { status: 503 } : null)
  await expect(pull()).rejects.toThrow(/503/)
  // A partly taken audience is not reported as stored.
  expect(state()).toBeNull()

  audience.intercept = () => null
  restart()
  const { sent, calls } = await pulling()
  expect(calls.filter((call) => call.startsWith('shelf'))).toEqual(['shelf/128/64', 'shelf/192/64'])
  expect(sent).toEqual(
    named(1_500)
      .filter((id) => bucketOf(id) >= 128)
      .toSorted(),
  )
  agrees()
})

test('planted drift is healed by fetching just who is missing or wrong', async () => {
  const { audience, holdings, pull, pulling, restart, differs, agrees } = await holding()
  audience.put(...crowd(1_000))
  await pull()
  const [missing, stale] = named(2) as [string, string]
  plant(holdings, {
    gone: [missing],
    persons: [personWith(stale, embeddingFrom(1), { version: versionOf(9) }), personWith(idOf('nobody'), embeddingFrom(7_777))],
  })
  restart()
  expect(differs()).toBe(true)
  const { sent, calls } = await pulling()
  expect(sent).toEqual([missing, stale].toSorted())
  expect(calls).toEqual(['changes', 'digest', 'versions', 'persons', 'changes'])
  expect(holdings.person(idOf('nobody'))).toBeUndefined()
  expect(holdings.nearest(embeddingFrom(7_777))[0]?.personId).not.toBe(idOf('nobody'))
  agrees()
})

test('drift beneath a running device is found by counting anew', async () => {
  const { audience, holdings, pull, recount, differs, pulling, agrees } = await holding()
  audience.put(...crowd(20))
  await pull()
  plant(holdings, { gone: named(1) })
  expect(differs()).toBe(false)
  expect(recount()).toBe(false)
  expect(differs()).toBe(true)
  expect((await pulling()).sent).toEqual(named(1))
  agrees()
})

test('a shelf of which more than half is missing comes whole, the others by name', async () => {
  const { audience, holdings, pull, pulling, restart, agrees } = await holding()
  audience.put(...crowd(1_500))
  await pull()
  const firstShelf = named(1_500).filter((id) => bucketOf(id) < 64)
  const elsewhere = named(1_500)
    .filter((id) => bucketOf(id) >= 192)
    .slice(0, 5)
  plant(holdings, { gone: [...firstShelf.slice(20), ...elsewhere] })
  restart()
  const { calls, sent } = await pulling()
  expect(calls).toEqual(['changes', 'digest', 'versions', 'shelf/0/64', 'persons', 'changes'])
  expect(sent).toEqual([...firstShelf, ...elsewhere].toSorted())
  agrees()
})

test('changes that cannot be told one by one are compared, and only what differs is fetched', async () => {
  const { audience, pull, pulling, agrees } = await holding()
  audience.put(...crowd(100))
  await pull()
  audience.put(...crowd(10).map((person) => ({ ...person, version: versionOf(2) })))
  audience.remove(...named(10, 50))
  audience.compareFromHere()
  const { sent, calls } = await pulling()
  expect(sent).toEqual(named(10).toSorted())
  expect(calls).toEqual(['changes', 'digest', 'versions', 'persons', 'changes'])
  agrees()
})

test('a digest that still does not come out costs one comparison, and the next pull another', async () => {
  const { audience, pull, pulling, sentences } = await holding()
  audience.put(...crowd(10))
  await pull()
  const announcement = audience.announcement
  audience.announcement = () => ({ ...announcement(), digest: versionOf(77) })
  for (const _ of ['one pull', 'another']) {
    expect((await pulling()).calls).toEqual(['changes', 'digest', 'changes'])
  }
  expect(sentences.filter((sentence) => sentence.includes('digest'))).toHaveLength(4)
})

test('a server that counts from an older backup is compared with, though the cursor lies ahead', async () => {
  const { audience, pull, pulling, agrees, state } = await holding()
  audience.put(...crowd(10))
  await pull()
  audience.restore(4)
  audience.persons.delete(named(1)[0]!)
  expect((await pulling()).calls).toEqual(['changes', 'digest', 'versions', 'changes'])
  expect(state()?.cursor).toBe(4)
  agrees()
})

test('another audience is compared with: who stays is not fetched, who goes is gone before anybody comes', async () => {
  const { audience, holdings, pull, pulling, agrees } = await holding()
  audience.put(...crowd(40))
  await pull()
  audience.manifest = manifestWith({ revision: 'r-2', audience: 'audience-2' })
  audience.remove(...named(10))
  audience.put(...crowd(4, 40))
  let storedAtFirstFetch: string[] = []
  audience.intercept = (call) => {
    if (call === 'persons') storedAtFirstFetch = [...holdings.versions()].map(([id]) => id)
    return null
  }
  const { sent, calls } = await pulling()
  expect(calls).toEqual(['manifest', 'digest', 'versions', 'persons', 'changes'])
  expect(sent).toEqual(named(4, 40).toSorted())
  expect(storedAtFirstFetch.toSorted()).toEqual(named(30, 10).toSorted())
  agrees()
})

test('until another audience has been taken whole, the server reads that the former is held', async () => {
  const { audience, pull, state } = await holding()
  audience.put(...crowd(4))
  await pull()
  audience.manifest = manifestWith({ revision: 'r-2', audience: 'audience-2' })
  audience.put(...crowd(4, 4))
  audience.intercept = (call) => (call === 'digest' ? { status: 503 } : null)
  await expect(pull()).rejects.toThrow(/503/)
  expect(state()).toMatchObject({ revision: 'r-2', audience: 'audience-1', cursor: 4 })
})

test('settings and withdrawn permissions are in force before the first person arrives', async () => {
  const { audience, holdings, pull } = await holding()
  audience.put(...crowd(4))
  await pull()
  audience.manifest = manifestWith({ revision: 'r-2', strategies: [] })
  audience.intercept = (call) => (call === 'changes' ? { status: 503 } : null)
  await expect(pull()).rejects.toThrow(/503/)
  expect(holdings.revision()).toBe('r-2')
  expect(holdings.strategiesOf(named(1)[0]!)).toEqual([])
})

test('an audience that is no longer the device’s sends it back to the manifest', async () => {
  const { audience, pull, pulling, agrees } = await holding()
  audience.put(...crowd(4))
  await pull()
  const stale = audience.announcement()
  audience.manifest = manifestWith({ revision: 'r-2', audience: 'audience-2' })
  const announcement = audience.announcement
  // The message was sent before the audience changed.
  audience.announcement = () => ({ ...stale, head: 9 })
  const { calls } = await pulling()
  audience.announcement = announcement
  expect(calls).toEqual(['changes', 'manifest', 'digest', 'changes'])
  agrees()
})

test('persons that cannot be taken are exceptions by name, version and reason, and stop nobody else [FIELD-7] [FIELD-8]', async () => {
  const { audience, holdings, pull, agrees, state } = await holding()
  const good = named(450)
  const bad = ['faceless', 'foreign', 'garbled', 'malformed', 'poison', 'withheld'].map(idOf) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const [faceless, foreign, garbled, malformed, poison, undelivered] = bad
  audience.put(
    ...crowd(450),
    personWith(faceless, embeddingFrom(0), { faces: [] }),
    personWith(foreign, embeddingFrom(0), { faces: [{ faceId: 'f', modelId: 'other', template: 'AAAA' }] }),
    personWith(garbled, embeddingFrom(0), { faces: [{ faceId: 'f', modelId: MODEL.modelId, template: 'AAAA' }] }),
    { id: malformed, version: versionOf(1), name: 7 } as never,
    personWith(poison, embeddingFrom(0)),
    personWith(undelivered, embeddingFrom(0)),
  )
  audience.poison.add(poison)
  audience.undelivered.add(undelivered)
  // A shelf does not name the persons it omits. The digest shows that some are missing, and the next comparison which ones.
  await pull()
  await pull()
  expect(Object.fromEntries([...holdings.exceptions().values()].map(({ personId, reason }) => [personId, reason]))).toEqual({
    [faceless]: 'noFace',
    [foreign]: 'notDelivered',
    [garbled]: 'templateInvalid',
    [malformed]: 'personInvalid',
    [undelivered]: 'notDelivered',
    [poison]: 'notDelivered',
  })
  expect([...holdings.exceptions().values()].every(({ version }) => version === versionOf(1))).toBe(true)
  expect(good.every((id) => holdings.nearest(embeddingFrom(good.indexOf(id)))[0]?.distance === 0)).toBe(true)
  expect(state()).toMatchObject({ persons: 450, failed: 6 })
  // They count as stored in their version and cause no further comparison.
  agrees()
})

test('a person the changes fail on is found by comparing, and the rest goes on [FIELD-7]', async () => {
  const { audience, holdings, pull, agrees } = await holding()
  audience.put(...crowd(10))
  await pull()
  audience.put(...crowd(10, 10))
  audience.poison.add(named(1, 13)[0]!)
  await pull()
  expect([...holdings.exceptions().values()]).toEqual([{ personId: named(1, 13)[0], version: versionOf(1), reason: 'notDelivered' }])
  agrees()
})

test('an exception is tried again when it comes again in the same version; who is well is left alone', async () => {
  const { audience, holdings, pull, agrees } = await holding()
  const [ann, bob] = named(2) as [string, string]
  const garbled = personWith(ann, embeddingFrom(0), { faces: [{ faceId: 'f', modelId: MODEL.modelId, template: 'AAAA' }] })
  audience.put(garbled, personWith(bob, embeddingFrom(1)))
  await pull()
  expect(holdings.exceptions().get(ann)?.reason).toBe('templateInvalid')
  audience.put(personWith(ann, embeddingFrom(0)), personWith(bob, embeddingFrom(1), { name: 'not looked at' }))
  await pull()
  expect(holdings.exceptions().size).toBe(0)
  expect(holdings.nearest(embeddingFrom(0))[0]).toMatchObject({ personId: ann, distance: 0 })
  expect(holdings.person(bob)?.name).toBe(`Name of ${bob}`)
  agrees()
})

test('who did not arrive is asked for again by a device that asks; who is at fault himself is not', async () => {
  const { audience, holdings, pull, ask, agrees } = await holding()
  const [poison, faceless] = ['poison', 'faceless'].map(idOf) as [string, string]
  audience.put(...crowd(10), personWith(poison, embeddingFrom(100)), personWith(faceless, embeddingFrom(0), { faces: [] }))
  audience.poison.add(poison)
  await pull()
  expect(holdings.exceptions().size).toBe(2)
  audience.poison.clear()
  audience.sent.length = 0
  await ask()
  expect(audience.sent).toEqual([poison])
  expect([...holdings.exceptions().keys()]).toEqual([faceless])
  expect(holdings.nearest(embeddingFrom(100))[0]).toMatchObject({ personId: poison, distance: 0 })
  agrees()
})

test('who was recognised and cannot be taken any more is not recognised as he was', async () => {
  const { audience, holdings, pull } = await holding()
  const [ann] = named(1) as [string]
  audience.put(personWith(ann, embeddingFrom(0)))
  await pull()
  audience.put(personWith(ann, embeddingFrom(0), { version: versionOf(2), faces: [] }))
  await pull()
  expect(holdings.nearest(embeddingFrom(0))).toEqual([])
  expect(holdings.exceptions().get(ann)).toEqual({ personId: ann, version: versionOf(2), reason: 'noFace' })
})

test('without a template of its model the device makes one of the photograph, and says whose it could not', async () => {
  const looked: string[] = []
  const embed: Embed = async (photo) => {
    const shown = Buffer.from(photo).toString()
    looked.push(shown)
    await pause(1)
    if (shown === 'damaged') throw new Error('the engine stumbled')
    return shown === 'blurred' ? null : personWith('x', embeddingFrom(Number(shown))).faces[0]!.template
  }
  const { audience, holdings, pull, agrees } = await holding({ embed })
  const [seen, blurred, damaged, lost, sent] = ['seen', 'blurred', 'damaged', 'lost', 'sent'].map(idOf) as [
    string,
    string,
    string,
    string,
    string,
  ]
  for (const id of [seen, blurred, damaged, lost]) {
    audience.put(personWith(id, embeddingFrom(0), { faces: [{ faceId: `face of ${id}`, modelId: MODEL.modelId, template: null }] }))
  }
  audience.put(personWith(sent, embeddingFrom(2)))
  for (const [id, photo] of [
    [seen, '5'],
    [blurred, 'blurred'],
    [damaged, 'damaged'],
  ] as const)
    audience.photos.set(`face of ${id}`, Buffer.from(photo))
  await pull()
  expect(looked.toSorted()).toEqual(['5', 'blurred', 'damaged'])
  expect(holdings.nearest(embeddingFrom(5))[0]).toMatchObject({ personId: seen, distance: 0 })
  expect(holdings.nearest(embeddingFrom(2))[0]).toMatchObject({ personId: sent, distance: 0 })
  expect(Object.fromEntries([...holdings.exceptions().values()].map(({ personId, reason }) => [personId, reason]))).toEqual({
    [blurred]: 'photoRefused',
    [damaged]: 'notDelivered',
    [lost]: 'notDelivered',
  })
  agrees()
})

test('the digest follows every change as if it were counted anew', async () => {
  const { audience, pull, state, agrees } = await holding()
  audience.put(...crowd(60))
  await pull()
  for (let round = 1; round <= 5; round++) {
    audience.put(...crowd(7, round * 5).map((person) => ({ ...person, version: versionOf(round * 100) })))
    audience.remove(...named(3, round * 9))
    await pull()
    expect(state()?.digest).toBe(digestsOf([...audience.persons.values()].map(({ id, version }) => [id, version] as const)).digest)
    agrees()
  }
})

test('of contacts, too, templates are made of photographs; one whose photograph fails is nobody, and no exception', async () => {
  const embed: Embed = async (photo) =>
    Buffer.from(photo).toString() === 'blurred'
      ? null
      : personWith('x', embeddingFrom(Number(Buffer.from(photo).toString()))).faces[0]!.template
  const { audience, holdings, pull, agrees } = await holding({ embed })
  const [ann, bob] = ['ann', 'bob'].map(idOf) as [string, string]
  const contact = (id: string) => ({
    id,
    name: `Name of ${id}`,
    faces: [{ faceId: `face of ${id}`, modelId: MODEL.modelId, template: null }],
  })
  audience.put(
    personWith(ann, embeddingFrom(1), { contacts: [contact('mother'), contact('father')] }),
    personWith(bob, embeddingFrom(2), { faces: [], contacts: [contact('aunt')] }),
  )
  for (const [id, photo] of [
    ['mother', '5'],
    ['father', 'blurred'],
    ['aunt', '6'],
  ] as const)
    audience.photos.set(`face of ${id}`, Buffer.from(photo))
  await pull()
  expect(holdings.nearest(embeddingFrom(5))[0]).toMatchObject({ personId: ann, contactId: 'mother', distance: 0 })
  expect(holdings.nearest(embeddingFrom(6))[0]).toMatchObject({ personId: bob, contactId: 'aunt', distance: 0 })
  expect(holdings.person(ann)?.contacts?.map(({ id }) => id)).toEqual(['mother'])
  expect(holdings.exceptions().size).toBe(0)
  agrees()
  // Nothing remains of a person whom no strategy lets pass any more.
  audience.put(personWith(ann, embeddingFrom(1), { version: versionOf(2) }))
  await pull()
  expect(holdings.nearestOf(ann, embeddingFrom(5))?.contactId).toBeNull()
  expect(holdings.person(ann)?.contacts).toBeUndefined()
  agrees()
})

test('who was erased goes, from what is held too, whatever the server still says; every erasure is taken once', async () => {
  const { audience, holdings, erasures, differs, pull, pulling } = await holding()
  const [ann, bob] = named(2) as [string, string]
  audience.put(...[ann, bob].map((id, place) => personWith(id, embeddingFrom(place))))
  audience.erasures = []
  await pull()
  expect(erasures.newest()).toBeNull()

  audience.remove(ann)
  audience.erasures = [
    { id: 'erasure-1', personId: ann },
    { id: 'erasure-2', personId: 'elsewhere' },
    { id: 'erasure-3', personId: bob },
  ]
  audience.page = 2
  expect(differs()).toBe(true)
  expect((await pulling()).calls.slice(0, 2)).toEqual(['erasures', 'erasures'])
  expect([holdings.version(ann), erasures.newest(), erasures.carriedOut()]).toEqual([undefined, 'erasure-3', 'erasure-3'])
  audience.remove(bob)
  await pull()
  expect(differs()).toBe(false)
  expect((await pulling()).calls).toEqual([])

  // A server restored from a backup does not have the newest erasure: all are taken again.
  audience.erasures = [
    { id: 'erasure-1', personId: ann },
    { id: 'erasure-4', personId: 'elsewhere' },
  ]
  expect(differs()).toBe(true)
  expect((await pulling()).calls).toEqual(['erasures'])
  expect(erasures.newest()).toBe('erasure-4')
})

test('a server that tells of no erasures is not asked for any, and one that does not know the call keeps nothing back', async () => {
  const { audience, agrees, ask, pull, erasures } = await holding()
  audience.put(personWith(named(1)[0]!, embeddingFrom(1)))
  await pull()
  expect(audience.calls).not.toContain('erasures')
  await ask()
  agrees()
  expect(erasures.newest()).toBeNull()
})
