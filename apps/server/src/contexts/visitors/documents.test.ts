/** Documents that visitors sign on their own phones: versions, what is kept of them, PDFs, and what an open page is refused. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LINK_TOKEN_HEADER, type DataOf, type InputOf } from '@gatehouse/contract'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { appointmentCalls, visitorLinkCalls } from '@gatehouse/contract/visitors/appointments'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { visitorDocumentCalls } from '@gatehouse/contract/visitors/documents'
import { SIGNATURE_COORDINATES_MAX, type AcceptedDocument } from '@gatehouse/contract/visitors/signing'
import { createClient, type Client } from '@gatehouse/dev-env/client'
import { portrait } from '@gatehouse/dev-env/portraits'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { linesOfPdf } from '../../platform/documents/testing/pdf.ts'
import { sql } from '../../platform/database/database.ts'
import { until } from '../../../../../tests/support/until.ts'
import { keepFile } from './documents-data.ts'
import { createReception, newPhone, type Reception } from './testing/reception.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
let later = 0
const clock = { now: () => Date.now() + later }

let world: World
/** A client without an account. */
let phone: Client
beforeAll(async () => {
  world = await startWorld({ clock, jobsAsleep: true })
  phone = createClient(world.url)
})
afterAll(() => world?.stop())

const RULES = { title: '园区安全须知', text: '第一条：访客须佩戴访客证。\n\n第二条：未经许可不得拍照。' }
const RULES_EN = { title: 'Site rules', text: 'Wear your badge. Take no photographs.' }
const NDA = { title: '保密协议', text: '访客应对在园区内获知的信息保密。' }
const strokes = [
  [10, 20, 300, 200, 600, 40],
  [700, 300],
]

type DocumentsForm = InputOf<(typeof visitorDocumentCalls)['change']['body']>
const change = (at: Reception, body: DocumentsForm) => at.site.call(visitorDocumentCalls.change, { body })
async function linkTo(at: Reception): Promise<string> {
  const { url } = await at.site.call(visitorLinkCalls.createLink, { body: { kind: 'park', address: 'https://gate.example.org/' } })
  return url.slice(url.indexOf('.', url.indexOf('#')) + 1)
}
async function open(linkToken: string, language: 'zh-CN' | 'en' = 'zh-CN'): Promise<DataOf<typeof appointmentCalls.open>> {
  const headers = { 'content-type': 'application/json', 'accept-language': language, [LINK_TOKEN_HEADER]: linkToken }
  const answer = await fetch(world.url + appointmentCalls.open.url, { method: 'POST', headers, body: '{}' })
  return ((await answer.json()) as { data: DataOf<typeof appointmentCalls.open> }).data
}
const runJob = (name: string) => world.server.contexts.visitors.jobs!.find((job) => job.name === name)!.run()
const form = (more: object = {}) => ({
  key: crypto.randomUUID(),
  name: '钱学森',
  phone: newPhone(),
  reason: 1 as const,
  visitTime: clock.now() + HOUR,
  visitEndTime: clock.now() + 2 * HOUR,
  ...more,
})
const submit = (linkToken: string, more: object = {}) => phone.ask(appointmentCalls.submit, { linkToken, body: form(more) })
const visitNamed = async (keyword: string, at: Reception) =>
  (await at.site.call(visitorCalls.list, { query: { keyword, page: 1, size: 20 } })).content[0]!
const signedOf = (at: Reception, id: string) => at.site.call(visitorDocumentCalls.signed, { query: { id } })
async function pdfOf({ site: { client } }: Reception, id: string, documentId: string): Promise<Buffer> {
  const { bearer } = client.credentials as { bearer: string }
  const address = `${world.url}${visitorDocumentCalls.file.url}?id=${id}&documentId=${documentId}`
  return Buffer.from(await (await fetch(address, { headers: { authorization: `Bearer ${bearer}` } })).arrayBuffer())
}

/** Create a park with rules to tick and an agreement to sign. */
async function withDocuments() {
  const at = await createReception(world)
  const { documents, version } = await change(at, {
    documents: [
      { agreement: 'tick', enabled: true, texts: { 'zh-CN': RULES, en: RULES_EN } },
      { agreement: 'sign', enabled: true, texts: { 'zh-CN': NDA } },
    ],
  })
  const [rules, nda] = documents.map(({ id }) => id)
  const accept = (more: Partial<AcceptedDocument> = {}, textVersion = 1): AcceptedDocument[] => [
    { documentId: rules!, documentVersion: textVersion, language: 'zh-CN' },
    { documentId: nda!, documentVersion: 1, language: 'zh-CN', strokes, ...more },
  ]
  return { at, rules: rules!, nda: nda!, version, accept, linkToken: await linkTo(at) }
}

test('documents are shown in the language of the visitor, or in one there is; each change of a text is a version', async () => {
  const { at, rules, nda, linkToken, version } = await withDocuments()
  expect((await open(linkToken, 'en')).documents).toEqual([
    { documentId: rules, documentVersion: 1, language: 'en', ...RULES_EN, agreement: 'tick' },
    { documentId: nda, documentVersion: 1, language: 'zh-CN', ...NDA, agreement: 'sign' },
  ])
  const { documents } = await at.site.call(visitorDocumentCalls.list, {})
  const unchanged = documents.map(({ textVersion: _, ...document }) => document)
  // What is not a text makes no version.
  const off = unchanged.map((document) => ({ ...document, enabled: document.id !== nda }))
  expect((await change(at, { documents: off, version })).documents.map(({ textVersion }) => textVersion)).toEqual([1, 1])
  expect((await open(linkToken)).documents.map(({ documentId }) => documentId)).toEqual([rules])
  const stricter = { ...RULES, text: `${RULES.text}\n第三条：禁止吸烟。` }
  await change(at, { documents: [{ ...unchanged[0]!, texts: { 'zh-CN': stricter } }, unchanged[1]!] })
  expect(await at.site.call(visitorDocumentCalls.versions, { query: { id: rules } })).toMatchObject([
    { textVersion: 2, texts: { 'zh-CN': stricter } },
    { textVersion: 1, texts: { 'zh-CN': RULES, en: RULES_EN } },
  ])
  expect(await at.site.ask(visitorDocumentCalls.change, { body: { documents: [], version } })).toMatchObject({ status: 409 })
  const tooMany = Array.from({ length: 6 }, () => ({ agreement: 'tick' as const, enabled: true, texts: { en: RULES_EN } }))
  expect(await at.site.ask(visitorDocumentCalls.change, { body: { documents: tooMany } })).toMatchObject({
    status: 400,
    data: { fields: [{ path: 'documents' }] },
  })
  expect(
    await at.site.ask(visitorDocumentCalls.change, { body: { documents: [{ agreement: 'tick', enabled: true, texts: {} }] } }),
  ).toMatchObject({
    status: 400,
    data: { fields: [{ path: 'documents.0.texts.zh-CN.title', rule: 'required' }] },
  })
})

test('what was signed is kept with the visit as PDF, with the text of its version, and opening it is noted', async () => {
  const { at, rules, linkToken, accept } = await withDocuments()
  expect(await submit(linkToken, { documents: accept() })).toMatchObject({ code: 0 })
  const { id } = await visitNamed('钱学森', at)
  const hashOf = ({ title, text }: typeof NDA) => createHash('sha256').update(`${title}\n\n${text}`).digest('hex')
  const signed = await signedOf(at, id)
  expect(signed).toMatchObject([
    { title: RULES.title, textVersion: 1, language: 'zh-CN', acceptance: 'tick', textHash: hashOf(RULES) },
    { title: NDA.title, textVersion: 1, language: 'zh-CN', acceptance: 'drawn', textHash: hashOf(NDA) },
  ])
  // The text is another one by now.
  const { documents } = await at.site.call(visitorDocumentCalls.list, {})
  await change(at, { documents: documents.filter((one) => one.id === rules).map(({ textVersion: _, ...one }) => one) })
  const pdf = await pdfOf(at, id, signed[1]!.id)
  expect(pdf.subarray(0, 8).toString()).toBe('%PDF-1.4')
  const lines = linesOfPdf(pdf)
  for (const line of [NDA.title, NDA.text, '钱学森', hashOf(NDA)]) expect(lines).toContain(line)
  // Made once: the second opening reads the stored file, and both strokes are in it.
  expect((await pdfOf(at, id, signed[1]!.id)).equals(pdf)).toBe(true)
  await until('the reading to stand in the log', async () => {
    const { content } = await at.site.call(auditCalls.reads, { query: { page: 1, size: 20 } })
    return JSON.stringify(content).includes(id)
  })
  const other = await createReception(world)
  expect(await other.site.ask(visitorDocumentCalls.signed, { query: { id } })).toMatchObject({ code: 200401 })
})

test('the job makes what nobody opened; a typed name takes the place of a drawn signature', async () => {
  const { at, linkToken, accept } = await withDocuments()
  await submit(linkToken, { name: '袁隆平', documents: accept({ strokes: null, typedName: '袁隆平' }) })
  const { id } = await visitNamed('袁隆平', at)
  const { db } = world.server.platform
  const made = async () =>
    (await db.selectFrom('visitDocument').select('fileId').where('visitId', '=', id).execute()).map(({ fileId }) => fileId !== null)
  expect(await made()).toEqual([false, false])
  await runJob('visitors.makeDocuments')
  expect(await made()).toEqual([true, true])
  const [, nda] = await signedOf(at, id)
  expect(nda).toMatchObject({ acceptance: 'typed' })
  expect(linesOfPdf(await pdfOf(at, id, nda!.id)).filter((line) => line === '袁隆平')).toHaveLength(2)
})

test('an open page is refused what is missing, changed meanwhile or too large, and no visit is made', async () => {
  const { at, nda, linkToken, accept } = await withDocuments()
  const refusedAt = async (documents: unknown, path: string, rule: string) =>
    expect(await submit(linkToken, { documents }), path).toMatchObject({ status: 400, data: { fields: [{ path, rule }] } })
  await refusedAt([], 'documents', 'required')
  await refusedAt(accept({ strokes: null }), 'documents.1.strokes', 'required')
  await refusedAt(accept({}, 7), 'documents.0.documentVersion', 'textChanged')
  await refusedAt(accept({ language: 'en' }), 'documents.1.documentVersion', 'textChanged')
  await refusedAt([...accept(), accept()[1]!], 'documents.2.documentId', 'duplicate')
  await refusedAt([...accept(), { ...accept()[0]!, documentId: crypto.randomUUID() }], 'documents.2.documentId', 'textChanged')
  await refusedAt(accept({ typedName: 'x' }), 'documents.1.typedName', 'min.string')
  for (const hostile of [
    [[1]],
    [[1, 2, 3]],
    [[-1, 5]],
    [[1.5, 5]],
    [[5000, 5]],
    [[]],
    Array.from({ length: 101 }, () => [1, 1]),
    [Array.from({ length: SIGNATURE_COORDINATES_MAX + 2 }, () => 1)],
    Array.from({ length: 10 }, () => Array.from({ length: SIGNATURE_COORDINATES_MAX / 5 }, () => 1)),
    'x',
    [[{ $gt: 1 }]],
  ])
    expect(
      await submit(linkToken, { documents: accept({ strokes: hostile as never }) }),
      JSON.stringify(hostile).slice(0, 40),
    ).toMatchObject({
      status: 400,
    })
  const huge = [Array.from({ length: 700_000 }, () => 1)]
  expect(await submit(linkToken, { documents: accept({ strokes: huge }) })).toMatchObject({ status: 413 })
  expect(await submit(linkToken, { documents: [...accept(), ...accept(), ...accept()] })).toMatchObject({ status: 400 })
  expect((await at.site.call(visitorCalls.list, { query: { page: 1, size: 5 } })).total).toBe(0)
  // Switched off meanwhile: it is asked for no more.
  const { documents } = await at.site.call(visitorDocumentCalls.list, {})
  await change(at, { documents: documents.map(({ textVersion: _, ...one }) => ({ ...one, enabled: one.id !== nda })) })
  await refusedAt(accept(), 'documents.1.documentVersion', 'textChanged')
  expect(await submit(linkToken, { documents: accept().slice(0, 1) })).toMatchObject({ code: 0 })
})

test('deleting a visit, and its retention, removes what was signed; former texts go once no visit refers to them', async () => {
  const { at, rules, linkToken, accept } = await withDocuments()
  const { platform } = world.server
  await submit(linkToken, { name: '华罗庚', documents: accept() })
  const { id, status } = await visitNamed('华罗庚', at)
  await runJob('visitors.makeDocuments')
  const files = (await platform.db.selectFrom('visitDocument').select('fileId').where('visitId', '=', id).execute()).map(
    ({ fileId }) => fileId!,
  )
  const { documents } = await at.site.call(visitorDocumentCalls.list, {})
  await change(at, {
    documents: documents.map(({ textVersion: _, ...one }) => ({ ...one, texts: { 'zh-CN': { title: '新须知', text: '新' } } })),
  })
  const versions = async () => (await at.site.call(visitorDocumentCalls.versions, { query: { id: rules } })).map((one) => one.textVersion)
  await at.site.call(visitorCalls.revoke, { body: { visits: [{ id, status }] } })
  const eraseAfter = async (days: number): Promise<void> => {
    later = days * DAY
    await runJob('visitors.eraseOld').finally(() => void (later = 0))
  }
  await eraseAfter(2)
  expect(await versions()).toEqual([2, 1])
  await eraseAfter(91)
  expect(await at.site.ask(visitorDocumentCalls.signed, { query: { id } })).toMatchObject({ code: 200401 })
  expect(await platform.db.selectFrom('visitDocument').select('id').where('visitId', '=', id).execute()).toEqual([])
  await platform.storage.sweep()
  for (const file of files) expect(await platform.storage.load(at.scope, file, 'full')).toBeNull()
  expect(await versions()).toEqual([2])
})

test('a document whose file is made while its visit is deleted goes with the visit', async () => {
  const { at, linkToken, accept } = await withDocuments()
  const { db, storage, transaction } = world.server.platform
  await submit(linkToken, { name: '陈景润', documents: accept() })
  const { id, status } = await visitNamed('陈景润', at)
  await at.site.call(visitorCalls.revoke, { body: { visits: [{ id, status }] } })
  const file = await storage.writeOriginal(at.scope, Buffer.from('%PDF-1.4'))
  let deleting: Promise<unknown> = Promise.resolve()
  await transaction(async (tx) => {
    await storage.keepCapture(tx, at.scope, file)
    const [paper] = await signedOf(at, id)
    expect(await keepFile(at.scope, tx, paper!.id, file)).toBe(true)
    deleting = at.site.call(visitorCalls.delete, { query: { ids: [id] } })
    await until('the deletion to wait for the file', async () => {
      const { rows } = await sql`SELECT 1 FROM pg_locks WHERE NOT granted`.execute(db)
      return rows.length > 0
    })
  })
  await deleting
  expect(await storage.erase([file])).toEqual([])
  expect(await storage.load(at.scope, file, 'full')).toBeNull()
})

test('the consent to face recognition is kept with its language, version and text', async () => {
  const at = await createReception(world)
  const linkToken = await linkTo(at)
  const shipped = await open(linkToken, 'en')
  expect(shipped).toMatchObject({ consentLanguage: 'en', consentVersion: 0 })
  expect(shipped.consentText).toContain(at.site.park.name)
  const { url: facePhoto } = await phone.call(appointmentCalls.photo, { linkToken, body: {}, file: await portrait('one') })
  const agreed = { facePhoto, faceConsent: true, consentShown: { language: 'en', textVersion: 0 } }
  expect(await submit(linkToken, { name: 'Agreed One', ...agreed })).toMatchObject({ code: 0 })
  const { id } = await visitNamed('Agreed One', at)
  const textHash = createHash('sha256').update(shipped.consentText).digest('hex')
  expect((await at.read(id)).consentShown).toEqual({ language: 'en', textVersion: 0, textHash, text: shipped.consentText })
  const policy = await at.site.call(privacyCalls.policy, {})
  const { version } = await at.site.call(privacyCalls.changePolicy, { body: { ...policy, consentText: { 'zh-TW': '同意使用人臉資料。' } } })
  expect(await open(linkToken)).toMatchObject({ consentText: '同意使用人臉資料。', consentLanguage: 'zh-TW', consentVersion: version })
  expect(await submit(linkToken, agreed)).toMatchObject({ status: 400, data: { fields: [{ path: 'faceConsent', rule: 'textChanged' }] } })
  // What was agreed to before stays as it was.
  expect((await at.read(id)).consentShown).toMatchObject({ textVersion: 0, text: shipped.consentText })
})
