/** Consent to face recognition, and what happens to the photos. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { createClient } from '@gatehouse/dev-env/client'
import { portrait } from '@gatehouse/dev-env/portraits'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { drawnFace } from '../../../../../tests/support/fixtures.ts'
import { personsOf } from '../../../../../tests/support/persons.ts'
import { fieldsRefused } from '../../../../../tests/support/users.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const refused = ['facePhotos consent']

async function park(required: boolean) {
  const site = await world.addPark()
  await demand(site, required)
  const persons = personsOf(site)
  const face = async () => persons.face(await drawnFace())
  const history = async (id: string) =>
    (await site.call(privacyCalls.consents, { params: { id } })).map(({ state, channel, notedBy }) => ({ state, channel, notedBy }))
  return { site, persons, face, history }
}

async function demand(site: Site, consentRequired: boolean): Promise<void> {
  const { version, ...policy } = await site.call(privacyCalls.policy, {})
  await site.call(privacyCalls.changePolicy, { body: { ...policy, consentRequired, version } })
}

describe('where the park asks for it', () => {
  test('photographs are only taken of people who agreed', async () => {
    const { persons, face } = await park(true)
    expect(fieldsRefused(await persons.create({ facePhotos: [await face()] }))).toEqual(refused)
    expect(fieldsRefused(await persons.create({ facePhotos: [await face()], faceConsent: false }))).toEqual(refused)
    const id = await persons.made({ facePhotos: [await face()], faceConsent: true })
    expect(await persons.read(id)).toMatchObject({ faceConsent: 'given', consentAt: expect.any(Number) })
    const without = await persons.made()
    expect(fieldsRefused(await persons.change(without, { facePhotos: [await face()] }))).toEqual(refused)
    expect(await persons.change(without, { facePhotos: [await face()], faceConsent: true })).toMatchObject({ code: 0 })
  })

  test('those that were there before stay until somebody withdraws; a new one is refused', async () => {
    const { site, persons, face } = await park(false)
    const id = await persons.made({ facePhotos: [await face()] })
    await demand(site, true)
    expect(await persons.change(id, { remark: 'still here' })).toMatchObject({ code: 0 })
    const { facePhotos } = await persons.read(id)
    expect(facePhotos).toHaveLength(1)
    expect(fieldsRefused(await persons.change(id, { facePhotos: [...facePhotos, await face()] }))).toEqual(refused)
  })

  test('whom to look out for is not asked', async () => {
    const { site, persons, face } = await park(true)
    const { id: groupId } = await site.personGroup({ type: 2 })
    expect(await persons.create({ kind: 'special', groupId, facePhotos: [await face()] })).toMatchObject({ code: 0 })
  })
})

describe('consent', () => {
  test('is noted with who noted it, once, whatever is sent again', async () => {
    const { persons, face, history } = await park(false)
    const id = await persons.made({ facePhotos: [await face()], faceConsent: true })
    const { consentAt } = await persons.read(id)
    await persons.change(id, { faceConsent: true, remark: 'again' })
    await persons.change(id, { remark: 'left out' })
    expect(await persons.read(id)).toMatchObject({ faceConsent: 'given', consentAt })
    expect(await history(id)).toEqual([{ state: 'given', channel: 'form', notedBy: expect.stringMatching(/./) }])
    const none = await persons.made({ faceConsent: false })
    expect(await persons.read(none)).toMatchObject({ faceConsent: 'none', consentAt: null })
    expect(await history(none)).toEqual([])
  })

  test('withdrawn in the form lets the photographs go, here and at the doors, even where the form still sends them', async () => {
    const { site, persons, history } = await park(false)
    const device = await site.device()
    const { id } = await site.person({ name: 'Withdrawn', photo: await drawnFace(), faceConsent: true, permittedAt: device })
    const storedOnDevice = async () => {
      await world.settled()
      const door = createClient(world.url, { basic: [device.code, device.secret] })
      const { audience } = await door.call(deviceProtocolCalls.manifest, {})
      const { persons: all } = await door.call(deviceProtocolCalls.shelf, {
        params: { audience, first: 0, count: 256 },
        query: { modelId: world.server.contexts.faces.service.modelId },
      })
      return JSON.stringify(all)
    }
    const { facePhotos, faces } = await persons.read(id)
    expect(await storedOnDevice()).toContain(facePhotos[0])
    expect(await persons.change(id, { faceConsent: false })).toMatchObject({ code: 0 })
    expect(await persons.read(id)).toMatchObject({ faceConsent: 'withdrawn', facePhotos: [], faces: [] })
    expect((await site.call(peopleCalls.list, { query: { hasFace: 0 } })).content.map((person) => person.id)).toEqual([id])
    await world.server.platform.storage.sweep()
    expect((await fetch(world.url + faces[0]!.url)).status).toBe(404)
    const after = await storedOnDevice()
    expect(after).toContain('Withdrawn')
    expect(after).not.toContain(facePhotos[0])
    expect((await history(id)).map(({ state }) => state)).toEqual(['withdrawn', 'given'])
    // Whether required or not: a person who withdrew consent has to give it again.
    expect(fieldsRefused(await persons.change(id, { facePhotos: [await persons.face(await portrait('anew'))] }))).toEqual(refused)
    expect(await persons.change(id, { facePhotos: [await persons.face(await portrait('anew'))], faceConsent: true })).toMatchObject({
      code: 0,
    })
    expect(await persons.read(id)).toMatchObject({ faceConsent: 'given', faces: [{}] })
  })

  test('withdrawn on the person’s page does the same', async () => {
    const { site, persons, face } = await park(false)
    const id = await persons.made({ facePhotos: [await face()], faceConsent: true })
    await site.call(privacyCalls.noteConsent, { params: { id }, body: { state: 'withdrawn' } })
    expect(await persons.read(id)).toMatchObject({ faceConsent: 'withdrawn', facePhotos: [], version: 2 })
    expect((await site.call(peopleCalls.list, { query: { hasFace: 0 } })).total).toBe(1)
    await site.call(privacyCalls.noteConsent, { params: { id }, body: { state: 'given' } })
    expect(await persons.read(id)).toMatchObject({ faceConsent: 'given' })
  })

  test('is asked for in lists', async () => {
    const { site, persons } = await park(false)
    const [none, given, withdrawn] = [
      await persons.made(),
      await persons.made({ faceConsent: true }),
      await persons.made({ faceConsent: true }),
    ]
    await persons.change(withdrawn, { faceConsent: false })
    const idsOf = async (consent: 'none' | 'given' | 'withdrawn') =>
      (await site.call(peopleCalls.list, { query: { consent } })).content.map(({ id }) => id)
    expect([await idsOf('none'), await idsOf('given'), await idsOf('withdrawn')]).toEqual([[none], [given], [withdrawn]])
  })

  test('goes with a copy, and is asked of one where the other park asks', async () => {
    const [from, to] = [await park(false), await park(true)]
    const manager = await world.session({ park: from.site.park, organisationId: world.server.contexts.organisation.service.root().id })
    const { id: groupId } = await to.site.personGroup()
    const [agreed, unasked] = [
      await from.persons.made({ facePhotos: [await from.face()], faceConsent: true }),
      await from.persons.made({ facePhotos: [await from.face()] }),
    ]
    const copy = (id: string) => manager.ask(peopleCalls.copy, { body: { ids: [id], groupId, parkId: to.site.park.id } })
    expect(fieldsRefused(await copy(unasked))).toEqual(['ids consent'])
    expect(await copy(agreed)).toMatchObject({ code: 0, data: { copied: 1 } })
    const [there] = (await to.site.call(peopleCalls.list, { query: { groupId } })).content
    expect(there).toMatchObject({ faceConsent: 'given', faces: [{}] })
    expect(await to.history(there!.id)).toMatchObject([{ state: 'given' }])
  })
})
