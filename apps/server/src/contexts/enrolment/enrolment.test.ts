/** Self-enrolment, applications by third parties, and their approval, through the public calls. */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { APPLICATIONS_KEPT, ENROLMENT_LINK, ENROLMENT_LINK_MAX, FACE_FILE_MAX, type PermissionCode } from '@gatehouse/contract'
import { enrolmentCalls } from '@gatehouse/contract/enrolment/calls'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { clientCalls } from '@gatehouse/contract/identity/clients'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { lookCalls } from '@gatehouse/contract/system/look'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { createClient, type CallInput, type Client } from '@gatehouse/dev-env/client'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { portraitVariant } from '@gatehouse/dev-env/portraits'
import { DISTINCT_PORTRAITS } from '@gatehouse/face-engine'
import { sql } from '../../platform/database/database.ts'
import { until } from '../../../../../tests/support/until.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Drawn people who are too different to be taken for one person, even by the check of a registration. */
const [SUBMITTED, ANOTHER] = DISTINCT_PORTRAITS

let later = 0
const clock = { now: () => Date.now() + later }
/** Advance the clock for the rest of the test. */
function pass(milliseconds: number): void {
  later += milliseconds
  onTestFinished(() => void (later -= milliseconds))
}

let world: World
/** A client without an account. */
let phone: Client
/** A face, another photo of it, and a different face. */
let face: Buffer
let sameFace: Buffer
let otherFace: Buffer
beforeAll(async () => {
  world = await startWorld({ clock })
  phone = createClient(world.url)
  ;[face, sameFace, otherFace] = await Promise.all([
    portraitVariant(SUBMITTED, 0),
    portraitVariant(SUBMITTED, 1),
    portraitVariant(ANOTHER, 0),
  ])
})
afterAll(() => world?.stop())

const tokenIn = (url: string): string => url.slice(url.indexOf('#') + 1)
type LinkFields = CallInput<(typeof enrolmentCalls)['createLink']>['body']
async function linkFor(body: LinkFields, site: Site = world) {
  const made = await site.call(enrolmentCalls.createLink, { body })
  return { ...made, token: tokenIn(made.url) }
}
const linkForAnybody = async (site: Site = world) => linkFor({ groupId: (await site.personGroup()).id }, site)
const ada = { name: 'Ada Lovelace', workNumber: 'A-1815' }
let numbers = 0
const somebody = () => ({ name: `Somebody ${++numbers}`, workNumber: `S-${numbers}` })
const submit = (token: string, more: object = {}, file: Uint8Array = face) =>
  phone.ask(enrolmentCalls.submit, { linkToken: token, body: more, file })
async function submitted(token: string, more: object = {}, file: Uint8Array = face): Promise<string> {
  const answer = await submit(token, more, file)
  expect(answer, JSON.stringify(answer)).toMatchObject({ status: 200, code: 0 })
  return answer.data.id
}
const apply = (more: object = {}, site: Pick<Site, 'call' | 'personGroup'> = world) =>
  (async () =>
    (
      await site.call(enrolmentCalls.apply, {
        body: { system: 'HR', reference: `r-${++numbers}`, groupId: (await site.personGroup()).id, ...somebody(), ...more },
      })
    ).id)()
const applicationOf = async (id: string, site: Pick<Site, 'call'> = world) => {
  for (const state of ['pending', 'passed', 'rejected'] as const) {
    const found = (await site.call(enrolmentCalls.list, { query: { state, size: 100 } })).content.find((one) => one.id === id)
    if (found !== undefined) return found
  }
  throw new Error(`no application ${id}`)
}
const decide = (body: CallInput<(typeof enrolmentCalls)['decide']>['body'], site: Pick<Site, 'call'> = world) =>
  site.call(enrolmentCalls.decide, { body })
const passOne = (id: string, more: object = {}) => decide({ ids: [id], state: 'passed', ...more })
const personOf = async (id: string) => world.call(peopleCalls.read, { query: { id: (await applicationOf(id)).personId! } })

describe('a second photograph', () => {
  const second = (token: string, id: string, file: Uint8Array = sameFace) =>
    phone.ask(enrolmentCalls.submitSecond, { linkToken: token, body: { applicationId: id }, file })
  const done = { status: 200, code: 0 }

  test('is handed in after the first, seen by whoever decides, and both are the person’s once passed', async () => {
    const { token } = await linkForAnybody()
    expect(await phone.call(enrolmentCalls.open, { body: { token } })).toMatchObject({ photosWanted: 2 })
    const id = await submitted(token, somebody())
    const { createdAt, secondUrl } = await applicationOf(id)
    expect(secondUrl).toBe('')
    pass(1_000)
    expect(await second(token, id)).toMatchObject({ ...done, data: { id } })
    const after = await applicationOf(id)
    expect((await fetch(world.url + after.secondUrl)).status).toBe(200)
    // An approver who was shown only the first photo cannot decide with the second one.
    expect(await passOne(id, { seen: createdAt })).toMatchObject({ decided: 0 })
    expect(await passOne(id, { seen: after.createdAt })).toMatchObject({ decided: 1 })
    expect((await personOf(id)).facePhotos).toHaveLength(2)
    expect(await applicationOf(id)).toMatchObject({ url: '', secondUrl: '' })
  })

  test('takes the place of the one before, and goes with what is handed in anew', async () => {
    const { token } = await linkForAnybody()
    const who = somebody()
    const id = await submitted(token, who)
    await second(token, id)
    const { secondUrl } = await applicationOf(id)
    await second(token, id, face)
    expect((await applicationOf(id)).secondUrl).not.toBe(secondUrl)
    expect(await submitted(token, who)).toBe(id)
    expect((await applicationOf(id)).secondUrl).toBe('')
  })

  test('shows the same person, and is of what is pending and was handed in through that link', async () => {
    const [{ token }, other] = [await linkForAnybody(), await linkForAnybody()]
    const id = await submitted(token, somebody())
    expect(await second(token, id, otherFace)).toMatchObject({ code: 200203, data: { fields: [{ path: 'file' }] } })
    const unknown = { status: 400, data: { fields: [{ path: 'applicationId', rule: 'unknown' }] } }
    expect(await second(other.token, id)).toMatchObject(unknown)
    expect(await second(token, crypto.randomUUID())).toMatchObject(unknown)
    await passOne(id)
    expect(await second(token, id)).toMatchObject(unknown)
    expect((await personOf(id)).facePhotos).toHaveLength(1)
  })

  test('of somebody who has two photographs is left where there is no room for it', async () => {
    const person = await world.person({ photo: [face, sameFace] })
    const { token } = await linkFor({ personId: person.id })
    const id = await submitted(token)
    expect(await second(token, id)).toMatchObject(done)
    expect(await passOne(id)).toMatchObject({ decided: 1 })
    expect((await personOf(id)).facePhotos).toHaveLength(3)
  })
})

describe('a link', () => {
  test('opens for two hours, says whose park it is, and is no link afterwards', async () => {
    const { token, expiresAt, qr } = await linkForAnybody()
    expect(expiresAt - clock.now()).toBeGreaterThan(ENROLMENT_LINK * HOUR - 60_000)
    expect(expiresAt - clock.now()).toBeLessThanOrEqual(ENROLMENT_LINK * HOUR)
    expect(qr).toMatch(/^data:image\/png;base64,/)
    expect(await phone.call(enrolmentCalls.open, { body: { token } })).toMatchObject({
      parkName: world.park.name,
      personName: '',
      expiresAt,
    })
    pass(ENROLMENT_LINK * HOUR - 60_000)
    await phone.call(enrolmentCalls.open, { body: { token } })
    pass(120_000)
    for (const answer of [await phone.ask(enrolmentCalls.open, { body: { token } }), await submit(token, somebody())])
      expect(answer).toMatchObject({ status: 400, data: { fields: [{ path: 'token', rule: 'linkEnded' }] } })
  })

  test('is valid as long as its maker says, thirty days at most, and the list tells until when', async () => {
    const site = await world.addPark()
    const { id: groupId } = await site.personGroup()
    const refused = async (body: LinkFields) => {
      const { status, data } = await site.ask(enrolmentCalls.createLink, { body: { groupId, ...body } })
      return [status, (data as unknown as { fields: { path: string; rule: string }[] }).fields.map(({ path, rule }) => [path, rule])]
    }
    const most = ENROLMENT_LINK_MAX * HOUR
    expect(await refused({ hours: 0 })).toEqual([400, [['hours', 'min.number']]])
    expect(await refused({ hours: ENROLMENT_LINK_MAX + 1 })).toEqual([400, [['hours', 'max.number']]])
    expect(await refused({ hours: 2, expiresAt: clock.now() + HOUR })).toEqual([400, [['expiresAt', 'invalid']]])
    expect(await refused({ expiresAt: clock.now() - 1 })).toEqual([400, [['expiresAt', 'inFuture']]])
    expect(await refused({ expiresAt: clock.now() + most + HOUR })).toEqual([400, [['expiresAt', 'linkTooLong']]])
    const week = await linkFor({ groupId, hours: 7 * 24 }, site)
    const moment = clock.now() + most - HOUR
    const custom = await linkFor({ groupId, expiresAt: moment }, site)
    expect(custom.expiresAt).toBe(moment)
    const listed = async () => (await site.call(enrolmentCalls.links, { query: {} })).content.map(({ id, expiresAt }) => [id, expiresAt])
    expect(await listed()).toEqual([
      [custom.id, moment],
      [week.id, week.expiresAt],
    ])
    pass(7 * DAY - HOUR)
    await phone.call(enrolmentCalls.open, { body: { token: week.token } })
    pass(HOUR + 60_000)
    expect((await phone.ask(enrolmentCalls.open, { body: { token: week.token } })).status).toBe(400)
    await phone.call(enrolmentCalls.open, { body: { token: custom.token } })
    pass(23 * DAY)
    expect((await phone.ask(enrolmentCalls.open, { body: { token: custom.token } })).status).toBe(400)
  })

  test('that ended, was revoked or never was answers alike', async () => {
    const { id, token } = await linkForAnybody()
    await world.call(enrolmentCalls.revokeLink, { params: { id } })
    const { message, data, status } = await phone.ask(enrolmentCalls.open, { body: { token } })
    expect(status).toBe(400)
    expect(await phone.ask(enrolmentCalls.open, { body: { token: 'a'.repeat(43) } })).toMatchObject({ message, data, status })
    expect(await submit(token, somebody())).toMatchObject({ status: 400, data })
    expect((await world.call(enrolmentCalls.links, { query: { size: 100 } })).content.map((link) => link.id)).not.toContain(id)
    expect((await world.ask(enrolmentCalls.revokeLink, { params: { id } })).status).toBe(404)
  })

  test('is looked for only so often by an address that knows none', async () => {
    const here = await startWorld({ clock })
    onTestFinished(() => here.stop())
    const guess = async () => (await createClient(here.url).ask(enrolmentCalls.open, { body: { token: crypto.randomUUID() } })).status
    const answers = new Set<number>()
    await until('the address to be refused', async () => answers.add(await guess()).has(429))
    expect([...answers]).toEqual([400, 429])
    // A person in the same office scans a valid link.
    const { url } = await here.call(enrolmentCalls.createLink, { body: { groupId: (await here.personGroup()).id } })
    await createClient(here.url).call(enrolmentCalls.open, { body: { token: tokenIn(url) } })
    pass(HOUR)
    expect(await guess()).toBe(400)
  })

  test('is stored by its hash, and its address begins where the console is', async () => {
    const { url, token, id } = await linkFor({ groupId: (await world.personGroup()).id, address: 'https://gate.example.org/console/' })
    expect(url).toBe(`https://gate.example.org/console/enrol.html#${token}`)
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    const { rows } = await sql<{
      row: string
    }>`SELECT row_to_json(enrolment_link)::text AS row FROM enrolment_link WHERE id = ${id}`.execute(world.server.platform.db)
    expect(rows[0]!.row).not.toContain(token)
  })

  test('begins with the address of a site and nothing else, and none is made otherwise', async () => {
    const site = await world.addPark()
    const { id: groupId } = await site.personGroup()
    for (const address of [
      'gate',
      'ftp://gate.example.org',
      'http://127.0.0.1:99999',
      'http://[',
      'http://evil@good/',
      'http://evil:word@good',
      'https://gate.example.org/<script>',
      'https://gate.example.org\\console',
      'https://gate.example.org?to=there',
      'https://gate.example.org#there',
      'https://<script>',
    ])
      expect(await site.ask(enrolmentCalls.createLink, { body: { groupId, address } }), address).toMatchObject({
        status: 400,
        data: { fields: [{ path: 'address', rule: 'url' }] },
      })
    expect((await site.call(enrolmentCalls.links, { query: {} })).total).toBe(0)
    expect((await linkFor({ groupId, address: 'http://[fd00::1]:8080' }, site)).url).toMatch(/^http:\/\/\[fd00::1\]:8080\/enrol\.html#/)
  })

  test('leads to the address the installation is set to, wherever it was asked for, and says where no phone can open it', async () => {
    const site = await world.addPark()
    const { id: groupId } = await site.personGroup()
    const begins = async (body: LinkFields = {}) => {
      const { url, localOnly } = await linkFor({ groupId, ...body }, site)
      return [new URL(url).origin, localOnly]
    }
    expect(await begins()).toEqual([world.url, true])
    expect(await begins({ address: 'http://localhost:8080' })).toEqual(['http://localhost:8080', true])
    expect(await begins({ address: 'http://192.168.1.20:8080' })).toEqual(['http://192.168.1.20:8080', false])
    const { id } = await world.call(lookCalls.addDomain, {
      body: { address: 'https://gate.example.org', organisationId: site.park.id },
    })
    expect(await begins({ address: 'http://localhost:8080' })).toEqual(['https://gate.example.org', false])
    await world.call(lookCalls.removeDomain, { params: { id } })
    expect(await begins()).toEqual([world.url, true])
  })

  test('stands in the list of its own park until it ends, with how often it was used', async () => {
    const site = await world.addPark()
    const { id, token } = await linkForAnybody(site)
    await submitted(token, somebody())
    const { content } = await site.call(enrolmentCalls.links, { query: {} })
    expect(content).toMatchObject([{ id, applications: 1, personId: null }])
    expect((await world.call(enrolmentCalls.links, { query: { size: 100 } })).content.map((link) => link.id)).not.toContain(id)
    pass(ENROLMENT_LINK * HOUR)
    const afterwards = await world.session({ park: site.park })
    expect((await afterwards.call(enrolmentCalls.links, { query: {} })).content).toEqual([])
  })

  test('ends with the person it is for, and is not made for somebody locked out', async () => {
    const person = await world.person()
    const { token } = await linkFor({ personId: person.id })
    expect(await phone.call(enrolmentCalls.open, { body: { token } })).toMatchObject({ personName: person.name })
    const id = await submitted(token)
    await world.call(peopleCalls.delete, { query: { ids: [person.id] } })
    await world.settled()
    expect(await phone.ask(enrolmentCalls.open, { body: { token } })).toMatchObject({ status: 400 })
    await expect(applicationOf(id)).rejects.toThrow('no application')
    const locked = await world.person()
    await world.call(peopleCalls.status, { body: { ids: [locked.id], status: 0 } })
    expect(await world.ask(enrolmentCalls.createLink, { body: { personId: locked.id } })).toMatchObject({ code: 200224 })
    expect(await world.ask(enrolmentCalls.createLink, { body: {} })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'groupId', rule: 'required' }] },
    })
  })
})

describe('handing in', () => {
  test('asks for a name, a number, and a photograph of one face', async () => {
    const { token } = await linkForAnybody()
    const refusedField = async (answer: ReturnType<typeof submit>) => (await answer).data as unknown as { fields: object[] }
    expect(await refusedField(submit(token, { workNumber: '1' }))).toMatchObject({ fields: [{ path: 'name', rule: 'required' }] })
    expect(await refusedField(submit(token, { name: 'Ada' }))).toMatchObject({ fields: [{ path: 'workNumber', rule: 'numberOrPhone' }] })
    expect(await refusedField(submit(token, { name: 'A/B', workNumber: '1' }))).toMatchObject({ fields: [{ path: 'name', rule: 'name' }] })
    expect(await submit(token, { name: 'Ada', phone: 'none' })).toMatchObject({ code: 900114, data: { fields: [{ path: 'phone' }] } })
    expect(await refusedField(phone.ask(enrolmentCalls.submit, { linkToken: token, body: ada }))).toMatchObject({
      fields: [{ path: 'file', rule: 'required' }],
    })
    const grey = await sharp({ create: { width: 400, height: 400, channels: 3, background: 'grey' } })
      .jpeg()
      .toBuffer()
    expect(await submit(token, ada, grey)).toMatchObject({ code: 200204, data: { fields: [{ path: 'file' }] } })
    expect(await submit(token, ada, Buffer.from('no picture'))).toMatchObject({ code: 200205 })
    expect(await submit(token, ada, Buffer.alloc(FACE_FILE_MAX + 1))).toMatchObject({ code: 200206 })
    expect((await submit(token, ada, Buffer.alloc(FACE_FILE_MAX + 1024 * 1024))).status).toBe(413)
  })

  test('the same person twice through one link is one application, the latest', async () => {
    const { token } = await linkForAnybody()
    const who = somebody()
    const first = await submitted(token, who)
    const { url } = await applicationOf(first)
    expect(await submitted(token, who, otherFace)).toBe(first)
    const replaced = await applicationOf(first)
    expect(replaced.url).not.toBe(url)
    expect(await submitted(token, somebody())).not.toBe(first)
    const together = somebody()
    const twice = await Promise.all([submitted(token, together), submitted(token, together)])
    expect(new Set(twice).size).toBe(1)
  })

  test('a park that asks for consent takes nobody without, shows its own words, and notes what the person said', async () => {
    const site = await world.addPark()
    const { version: _, ...policy } = await site.call(privacyCalls.policy, {})
    await site.call(privacyCalls.changePolicy, {
      body: { ...policy, consentRequired: true, consentText: { en: 'We know you by your face.', 'zh-CN': '我们通过人脸识别您。' } },
    })
    const { token } = await linkForAnybody(site)
    expect(await phone.call(enrolmentCalls.open, { body: { token } })).toMatchObject({
      consentRequired: true,
      consentText: 'We know you by your face.',
    })
    const who = somebody()
    expect(await submit(token, who)).toMatchObject({ status: 400, data: { fields: [{ path: 'consent', rule: 'required' }] } })
    const id = await submitted(token, { ...who, consent: 'true' })
    expect(await decide({ ids: [id], state: 'passed' }, site)).toEqual({ decided: 1, refused: [] })
    const { personId } = await applicationOf(id, site)
    expect(await site.call(privacyCalls.consents, { params: { id: personId! } })).toMatchObject([
      { state: 'given', channel: 'self', notedBy: '' },
    ])
    // If a third party does not state the consent, the person cannot be approved with the photo.
    const silent = await apply({ photo: otherFace.toString('base64') }, site)
    expect(await decide({ ids: [silent], state: 'passed' }, site)).toMatchObject({ decided: 0, refused: [{ rule: 'consent' }] })
  })

  test('an erasure finds what somebody handed in', async () => {
    const person = await world.person()
    const { token } = await linkFor({ personId: person.id })
    const id = await submitted(token)
    const { places } = await world.call(privacyCalls.preview, { query: { personIds: [person.id] } })
    expect(places.find(({ place }) => place === 'applications')).toMatchObject({ count: 1 })
    await world.call(privacyCalls.erase, { body: { personIds: [person.id], reason: 'Asked for' } })
    await expect(applicationOf(id)).rejects.toThrow('no application')
  })

  test('the photograph is stored encrypted and outlives a day', async () => {
    const { token } = await linkForAnybody()
    const id = await submitted(token, somebody())
    pass(2 * DAY)
    await world.server.platform.storage.sweep()
    const approver = await world.session()
    const { url } = await applicationOf(id, approver)
    const picture = await fetch(world.url + url)
    expect(picture.headers.get('content-type')).toBe('image/webp')
    expect(await decide({ ids: [id], state: 'passed' }, approver)).toEqual({ decided: 1, refused: [] })
  })

  test('of several faces the chosen one is registered', async () => {
    const [width, height] = [420, 420]
    const [left, right] = await Promise.all([face, otherFace].map((one) => sharp(one).resize(width, height, { fit: 'cover' }).toBuffer()))
    const both = await sharp({ create: { width: 2 * width, height, channels: 3, background: 'white' } })
      .composite([
        { input: left!, left: 0, top: 0 },
        { input: right!, left: width, top: 0 },
      ])
      .jpeg({ quality: 95 })
      .toBuffer()
    const { token } = await linkForAnybody()
    const who = somebody()
    const refused = await submit(token, who, both)
    expect(refused).toMatchObject({ code: 200218 })
    const { faces } = refused.data as unknown as { faces: { box: { x: number } }[] }
    expect(faces).toHaveLength(2)
    const registered = await world.person({ photo: otherFace })
    await world.settled()
    const id = await submitted(token, { ...who, faceIndex: faces.findIndex(({ box }) => box.x > width / 2) }, both)
    expect((await applicationOf(id)).similar.map(({ personId }) => personId)).toContain(registered.id)
    await passOne(id)
    const { id: personId } = await personOf(id)
    await world.settled()
    // The face on the left was not the one that was registered.
    const again = await submitted(token, somebody(), otherFace)
    expect((await applicationOf(again)).similar.map((one) => one.personId)).toContain(personId)
  })

  test('says to the approver who is registered already and looks like it', async () => {
    const site = await world.addPark()
    const known = await site.person({ name: 'Registered Already', photo: face })
    await world.settled()
    const { token } = await linkForAnybody(site)
    const id = await submitted(token, somebody(), sameFace)
    const { similar } = await applicationOf(id, site)
    expect(similar).toMatchObject([{ personId: known.id, personName: 'Registered Already', workNumber: known.workNumber }])
    expect((await fetch(world.url + similar[0]!.url)).status).toBe(200)
    // The application does not exist for another park.
    expect((await world.call(enrolmentCalls.list, { query: { size: 100 } })).content.map((one) => one.id)).not.toContain(id)
    expect(await world.ask(enrolmentCalls.decide, { body: { ids: [id], state: 'passed' } })).toMatchObject({ status: 404 })
  })

  test('stands in the operation log without an account', async () => {
    const { token } = await linkForAnybody()
    const who = somebody()
    const id = await submitted(token, who)
    const { content } = await world.call(auditCalls.operations, { query: {} })
    const entry = content.find(({ subjects }) => subjects.some((subject) => subject.id === id))
    expect(entry).toMatchObject({ account: '', subjects: [{ entity: 'personApplication', label: who.name }] })
  })
})

describe('deciding', () => {
  test('pending → passed: whoever is passed is registered with photograph, number and group', async () => {
    const { token } = await linkForAnybody()
    const who = { ...somebody(), phone: '13800138000', gender: 2, consent: 'true' }
    const id = await submitted(token, who)
    expect(await passOne(id)).toEqual({ decided: 1, refused: [] })
    const application = await applicationOf(id)
    expect(application).toMatchObject({ state: 'passed', decidedBy: expect.any(String), reason: '', url: '', similar: [] })
    expect(application.photos).toHaveLength(1)
    expect(await personOf(id)).toMatchObject({
      faceConsent: 'given',
      name: who.name,
      workNumber: who.workNumber,
      phone: who.phone,
      gender: 2,
      kind: 'staff',
      groupId: application.groupId,
      faces: [{}],
    })
  })

  test('pending → rejected: only with a reason, and nobody is registered', async () => {
    const id = await apply({ name: 'Nobody Known' })
    for (const reason of [undefined, '', '   ']) {
      const answer = await world.ask(enrolmentCalls.decide, {
        body: { ids: [id], state: 'rejected', ...(reason !== undefined && { reason }) },
      })
      expect(answer).toMatchObject({ status: 400, data: { fields: [{ path: 'reason', rule: 'required' }] } })
    }
    expect((await applicationOf(id)).state).toBe('pending')
    expect(await decide({ ids: [id], state: 'rejected', reason: 'Unknown here' })).toEqual({ decided: 1, refused: [] })
    expect(await applicationOf(id)).toMatchObject({ state: 'rejected', reason: 'Unknown here', personId: null })
    expect((await world.call(peopleCalls.list, { query: { name: 'Nobody Known' } })).total).toBe(0)
  })

  test('passed and rejected stay what they are: a decision is taken once', async () => {
    const [passed, rejected] = [await apply(), await apply()]
    await passOne(passed)
    await decide({ ids: [rejected], state: 'rejected', reason: 'No' })
    const { decided, refused } = await decide({ ids: [passed, rejected], state: 'rejected', reason: 'Changed my mind' })
    expect(decided).toBe(0)
    expect(refused).toMatchObject(
      [passed, rejected].map((id) => ({ id, code: null, field: 'state', rule: 'decided', words: expect.stringContaining('already') })),
    )
    expect((await decide({ ids: [rejected], state: 'passed' })).refused).toMatchObject([{ rule: 'decided' }])
    expect([(await applicationOf(passed)).state, (await applicationOf(rejected)).reason]).toEqual(['passed', 'No'])
  })

  test('is taken about what was seen: a photograph handed in since then is not passed unseen', async () => {
    const { token } = await linkForAnybody()
    const who = somebody()
    const id = await submitted(token, who)
    const { createdAt: seen } = await applicationOf(id)
    pass(1000)
    await submitted(token, who, otherFace)
    expect(await passOne(id, { seen })).toMatchObject({ decided: 0, refused: [{ id, rule: 'conflict' }] })
    const { createdAt } = await applicationOf(id)
    expect(await passOne(id, { seen: createdAt })).toMatchObject({ decided: 1 })
  })

  test('by two at once is one decision', async () => {
    const id = await apply()
    const answers = await Promise.all([passOne(id), passOne(id), passOne(id)])
    expect(answers.map(({ decided }) => decided).toSorted()).toEqual([0, 0, 1])
    const { name } = await personOf(id)
    expect((await world.call(peopleCalls.list, { query: { name } })).total).toBe(1)
  })

  test('each is decided by itself; what could not be registered says why and stays pending', async () => {
    const taken = await world.person({ workNumber: 'TAKEN-1' })
    const [good, bad] = [await apply(), await apply({ workNumber: taken.workNumber })]
    const { decided, refused } = await decide({ ids: [bad, good], state: 'passed' })
    expect(decided).toBe(1)
    expect(refused).toMatchObject([{ id: bad, code: 200215, field: 'workNumber', words: expect.stringMatching(/work number/i) }])
    expect([(await applicationOf(good)).state, (await applicationOf(bad)).state]).toEqual(['passed', 'pending'])
  })

  test('a photograph through a link for one person is added to his, at most three and of one face', async () => {
    const person = await world.person({ photo: [face, sameFace] })
    const { token } = await linkFor({ personId: person.id })
    const wrong = await submitted(token, {}, otherFace)
    expect((await applicationOf(wrong)).photos).toHaveLength(2)
    expect((await passOne(wrong)).refused).toMatchObject([{ code: 200203 }])
    const third = await submitted(token, {}, await portraitVariant(SUBMITTED, 2))
    expect(third).toBe(wrong)
    expect(await passOne(third)).toMatchObject({ decided: 1 })
    expect((await personOf(third)).faces).toHaveLength(3)
    const fourth = await submitted(token, {}, face)
    expect((await passOne(fourth)).refused).toMatchObject([{ code: 200202 }])
  })

  test('somebody recognised gets the photograph instead of being registered twice', async () => {
    const person = await world.person({ name: 'Known By Sight', photo: face })
    const { token } = await linkForAnybody()
    const [id, second] = [await submitted(token, somebody(), sameFace), await submitted(token, somebody(), sameFace)]
    expect(await passOne(id, { personId: person.id })).toMatchObject({ decided: 1 })
    expect(await personOf(id)).toMatchObject({ id: person.id, name: 'Known By Sight', faces: [{}, {}] })
    expect(
      await world.ask(enrolmentCalls.decide, { body: { ids: [second, await apply()], state: 'passed', personId: person.id } }),
    ).toMatchObject({ status: 400, data: { fields: [{ path: 'personId' }] } })
    const foreign = await (await world.addPark()).person()
    expect(await world.ask(enrolmentCalls.decide, { body: { ids: [second], state: 'passed', personId: foreign.id } })).toMatchObject({
      status: 404,
    })
  })

  test('needs the permission to approve; links need that of the register', async () => {
    const id = await apply()
    const registrar = await world.session({ permissions: ['person', 'person.list', 'own:person.edit'] })
    expect(await registrar.ask(enrolmentCalls.decide, { body: { ids: [id], state: 'passed' } })).toMatchObject({
      status: 403,
      code: 100510,
    })
    expect(await registrar.ask(enrolmentCalls.list, { query: {} })).toMatchObject({ status: 403 })
    const approver = await world.session({ permissions: ['person', 'person.audit'] })
    expect(await approver.ask(enrolmentCalls.createLink, { body: { groupId: (await world.personGroup()).id } })).toMatchObject({
      status: 403,
    })
    expect(await approver.call(enrolmentCalls.decide, { body: { ids: [id], state: 'passed' } })).toMatchObject({ decided: 1 })
  })

  test('names and phones are masked for whom they are masked', async () => {
    const id = await apply({ name: 'Grace Hopper', phone: '13912345678' })
    const masking = await world.session({ masking: true })
    const { content } = await masking.call(enrolmentCalls.list, { query: { size: 100, state: 'pending' } })
    expect(content.find((one) => one.id === id)).toMatchObject({ name: 'G********r', phone: '139****5678' })
  })

  test('lets the photograph go, and the application after a month', async () => {
    const { token } = await linkForAnybody()
    const id = await submitted(token, somebody())
    const file = async () =>
      (
        await sql<{
          fileId: string | null
          template: Buffer | null
        }>`SELECT file_id, template FROM person_application WHERE id = ${id}`.execute(world.server.platform.db)
      ).rows[0]
    const fileId = (await file())!.fileId!
    await decide({ ids: [id], state: 'rejected', reason: 'Not here' })
    expect(await file()).toEqual({ fileId: null, template: null })
    await world.server.platform.storage.sweep()
    expect(await world.server.platform.storage.load({ parkId: world.park.id }, fileId, 'full')).toBeNull()
    const [job] = world.server.contexts.enrolment.jobs!
    await job!.run()
    expect((await applicationOf(id)).state).toBe('rejected')
    pass((APPLICATIONS_KEPT + 1) * DAY)
    expect(await job!.run()).toMatchObject({ outcome: 'success' })
    expect((await sql`SELECT 1 FROM person_application WHERE id = ${id}`.execute(world.server.platform.db)).rows).toEqual([])
    const { rows } = await sql<{
      changes: { id: string }[]
    }>`SELECT changes FROM operation_log WHERE changes @> ${JSON.stringify([{ id }])}::jsonb`.execute(world.server.platform.db)
    expect(rows.length).toBeGreaterThan(1)
    expect(
      rows
        .flatMap(({ changes }) => changes)
        .filter((change) => change.id === id)
        .every((change) => !('sealed' in change) && !('label' in change)),
    ).toBe(true)
  })

  test('counts are those of the park', async () => {
    const site = await world.addPark()
    const ids = [await apply({}, site), await apply({}, site), await apply({}, site)]
    await decide({ ids: [ids[0]!], state: 'rejected', reason: 'No' }, site)
    await decide({ ids: [ids[1]!], state: 'passed' }, site)
    expect(await site.call(enrolmentCalls.summary, {})).toEqual({ pending: 1, passed: 1, rejected: 1, newest: expect.any(Number) })
  })
})

describe('a third party', () => {
  test('hands in by system and reference: the same again replaces what is pending and leaves what was decided', async () => {
    const groupId = (await world.personGroup()).id
    const hand = (more: object) =>
      world.call(enrolmentCalls.apply, { body: { system: 'Payroll', reference: '4711', groupId, ...ada, ...more } })
    const { id } = await hand({})
    expect((await hand({ name: 'Ada King' })).id).toBe(id)
    expect(await applicationOf(id)).toMatchObject({ name: 'Ada King', source: 'thirdParty', system: 'Payroll', consent: false })
    await decide({ ids: [id], state: 'rejected', reason: 'Left' })
    expect((await hand({ name: 'Ada Again' })).id).toBe(id)
    expect(await applicationOf(id)).toMatchObject({ name: 'Ada King', state: 'rejected' })
    expect((await hand({ reference: '4712' })).id).not.toBe(id)
  })

  test('may send a photograph, which is checked at its field', async () => {
    const id = await apply({ photo: face.toString('base64') })
    expect((await applicationOf(id)).url).not.toBe('')
    await passOne(id)
    expect((await personOf(id)).faces).toHaveLength(1)
    const groupId = (await world.personGroup()).id
    const answer = await world.ask(enrolmentCalls.apply, { body: { system: 'HR', reference: 'bad', groupId, name: 'Bad', photo: '!!!' } })
    expect(answer).toMatchObject({ code: 200205, data: { fields: [{ path: 'photo' }] } })
    expect(
      await world.ask(enrolmentCalls.apply, { body: { system: 'HR', reference: 'bad', groupId: crypto.randomUUID(), name: 'Bad' } }),
    ).toMatchObject({ status: 400, data: { fields: [{ path: 'groupId', rule: 'unknown' }] } })
  })

  test('is an API user with the permission of the register, and none other', async () => {
    const groupId = (await world.personGroup()).id
    const clientWith = async (permissions: PermissionCode[]) => {
      const { ApiKey, ApiSecret } = await world.call(clientCalls.create, {
        body: { name: `Api${++numbers}`, permissions, organisationId: world.park.id },
      })
      const { access_token: bearer } = await phone
        .as({ basic: [ApiKey, ApiSecret] })
        .call(identityCalls.token, { body: { grant_type: 'client_credentials', areaCode: world.park.areaCode } })
      return phone.as({ bearer })
    }
    const body = { system: 'API', reference: '1', groupId, ...somebody() }
    expect(await (await clientWith(['person', 'person.list', 'own:person.edit'])).ask(enrolmentCalls.apply, { body })).toMatchObject({
      status: 200,
      code: 0,
    })
    expect(await (await clientWith(['access', 'access.record'])).ask(enrolmentCalls.apply, { body })).toMatchObject({
      status: 403,
      code: 100510,
    })
  })
})

test('a park that is erased keeps no links, no applications and no photographs of them', async () => {
  const site = await world.addPark()
  const { token } = await linkForAnybody(site)
  await submitted(token, somebody())
  const scope = { parkId: site.park.id }
  const erased = await world.server.platform.transaction((tx) => world.server.contexts.enrolment.erasePark!(tx, scope))
  expect(erased).toEqual({ enrolmentLinks: 1, applications: 1 })
  expect(await phone.ask(enrolmentCalls.open, { body: { token } })).toMatchObject({ status: 400 })
  expect((await sql`SELECT 1 FROM file WHERE park_id = ${site.park.id} AND kept`.execute(world.server.platform.db)).rows).toEqual([])
})
