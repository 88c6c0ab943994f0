/**
 * Keeps docs/protocol/README.md up to date: its examples parse, its computed examples are correct, and it names all calls, topics and
 * reasons.
 */
import { createHash, createHmac, createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { deviceProofText, serverProofText } from './handshake.ts'
import { CAPTURES_PER_MESSAGE, DOOR_EVENT_KINDS, EVENTS_PER_MESSAGE, numberedCalls } from './numbered.ts'
import { bucketOf, deviceTopics, word64 } from './protocol.ts'
import { deviceProtocolCalls } from './protocol-calls.ts'
import * as ofCommands from './protocol-commands.ts'
import * as ofManifest from './protocol-manifest.ts'
import * as ofPersons from './protocol-persons.ts'
import * as ofRecords from './protocol-records.ts'
import * as ofStatus from './protocol-status.ts'
import { RECORD_NAMESPACE, recordName } from './record-id.ts'
import { removalText } from './removal.ts'
import { visitorMachineCalls } from './visitor-machine.ts'

const text = readFileSync(new URL('../../../../docs/protocol/README.md', import.meta.url), 'utf8')
const { PERSON_FAILURES, personException, personObject } = ofPersons
const { recordObject, recordsMessage } = ofRecords
const { events: doorEvents, eventPicture: doorEventPicture, ...numberedCaptures } = numberedCalls
/** All calls of devices that the document describes; visitor machines have `events` of their own. */
const CALLS = { ...deviceProtocolCalls, ...visitorMachineCalls, doorEvents, doorEventPicture, ...numberedCaptures }
/** All schemas of the protocol by name. */
const SCHEMAS: Record<string, unknown> = { ...ofCommands, ...ofManifest, ...ofPersons, ...ofRecords, ...ofStatus }

const examples = [...text.matchAll(/^```json ?(\S*)\n([\s\S]*?)^```$/gm)].map(([, label = '', body = '']) => ({
  label,
  value: JSON.parse(body) as unknown,
}))
const WORKED = ['digestExample', 'keyDigestExample', 'recordIdExample', 'templateExample']
const worked = <T>(label: string): T => examples.find((example) => example.label === label)!.value as T

/** Return the schema of a label: `statusMessage` is a schema of the protocol, `pair.data` a part of a call. */
function schemaOf(label: string): z.ZodType | undefined {
  const [name = '', part = ''] = label.split('.')
  const call = (CALLS as Record<string, Record<string, unknown>>)[name]
  return (part === '' ? SCHEMAS[name] : call?.[part]) as z.ZodType | undefined
}

describe('the examples of the protocol document', () => {
  it.each(examples.filter(({ label }) => !WORKED.includes(label)).map(({ label, value }) => [label, value] as const))(
    '%s is what its schema says, field by field',
    (label, value) => {
      const schema = schemaOf(label)
      expect(schema, `"${label}" names a schema`).toBeDefined()
      // Parsing would drop unknown fields and fill in defaults: an example shows the message as it is sent.
      expect(schema!.parse(value)).toEqual(value)
    },
  )

  it('show every message, and every body and answer that is short enough to show', () => {
    const labels = examples.map(({ label }) => label)
    const messages = Object.keys(SCHEMAS).filter((name) => name.endsWith('Message'))
    const parts = Object.entries(CALLS).flatMap(([name, call]) =>
      ['body', 'data'].filter((part) => part in call).map((part) => `${name}.${part}`),
    )
    // 256 words, and pages like those that are shown; the manifest has its own name.
    const left = ['digest.data', 'shelf.data', 'manifest.data']
    for (const label of [...messages, ...parts.filter((part) => !left.includes(part)), 'manifest']) expect(labels, label).toContain(label)
  })
})

describe('the protocol document', () => {
  it('names every call, topic and reason', () => {
    for (const { method, url } of Object.values(CALLS)) expect(text, url).toContain(`${method} ${url}`)
    for (const topic of Object.values(deviceTopics('{code}'))) expect(text, topic).toContain(`\`${topic}\``)
    for (const kind of DOOR_EVENT_KINDS) expect(text, kind).toContain(`| \`${kind}\` |`)
    for (const reason of PERSON_FAILURES) expect(text, reason).toContain(`| \`${reason}\` |`)
    expect(text).toContain(RECORD_NAMESPACE)
  })

  it('counts digests as 64 bits do', () => {
    const { persons, buckets, digest, then } = worked<{
      persons: { id: string; version: string }[]
      buckets: Record<string, string>
      digest: string
      then: { id: string; version: string; digest: string }
    }>('digestExample')
    const sum = (versions: readonly string[]) =>
      BigInt.asUintN(
        64,
        versions.reduce((total, version) => total + BigInt(`0x${version}`), 0n),
      )
        .toString(16)
        .padStart(16, '0')
    const versions = (of: typeof persons) => of.map(({ version }) => version)
    const byBucket = new Map<string, typeof persons>()
    for (const person of persons) byBucket.set(String(bucketOf(person.id)), [...(byBucket.get(String(bucketOf(person.id))) ?? []), person])
    expect(Object.fromEntries([...byBucket].map(([bucket, of]) => [bucket, sum(versions(of))]))).toEqual(buckets)
    expect(sum(versions(persons))).toBe(digest)
    expect(sum(Object.values(buckets))).toBe(digest)
    expect(sum(persons.map(({ id, version }) => (id === then.id ? then.version : version)))).toBe(then.digest)
    for (const word of [digest, then.digest, ...Object.values(buckets)]) expect(word64.parse(word)).toBe(word)
    // The text around the example contains the same numbers.
    expect(text.split(then.digest)).toHaveLength(3)
    expect(worked<ofStatus.StatusMessage>('statusMessage').held?.digest).toBe(digest)
  })

  it('signs in as both sides do', () => {
    const asked = worked<{ code: string; nonce: string }>('challenge.body')
    const answered = worked<{ challenge: string; keys: string[]; tlsOnly: boolean; proof: string }>('challenge.data')
    const device = worked<{ code: string; nonce: string; challenge: string; proof: string }>('token.body')
    const proof = (what: string) =>
      createHmac('sha256', createHash('sha256').update('a secret of the example').digest()).update(what).digest('base64url')
    expect(proof(serverProofText({ ...asked, ...answered }))).toBe(answered.proof)
    expect(device).toMatchObject({ ...asked, challenge: answered.challenge })
    expect(proof(deviceProofText(device))).toBe(device.proof)
    const { spki, digest } = worked<{ spki: string; digest: string }>('keyDigestExample')
    expect(createPublicKey({ key: Buffer.from(spki, 'base64'), type: 'spki', format: 'der' }).asymmetricKeyType).toBe('ec')
    expect(createHash('sha256').update(Buffer.from(spki, 'base64')).digest('base64url')).toBe(digest)
    expect(answered.keys).toEqual([digest])
    // The text around the example contains the texts that are signed.
    const server = { code: 'C', nonce: 'n', challenge: 'x', keys: ['a', 'b'] }
    expect(serverProofText({ ...server, tlsOnly: true })).toBe('server/c/n/x/a,b/tls')
    expect(serverProofText({ ...server, tlsOnly: false })).toBe('server/c/n/x/a,b/any')
    expect(text).toContain('`server/{code in lower case}/{nonce}/{challenge}/{keys, separated by commas}/{reached}`')
    expect(text).toContain('`reached` is `tls` where `tlsOnly` is true, else `any`')
    expect(deviceProofText({ code: 'C', nonce: 'n', challenge: 'x' })).toBe('device/c/n/x')
    expect(text).toContain('`device/{code in lower case}/{nonce}/{challenge}`')
  })

  it('proves a removal as both sides do', () => {
    const [asked, said] = [
      worked<{ code: string; nonce: string; proof: string }>('removal.body'),
      worked<{ deviceId: string; proof: string }>('removal.data'),
    ]
    const proof = (what: string) =>
      createHmac('sha256', createHash('sha256').update('a secret of the example').digest()).update(what).digest('base64url')
    expect(proof(removalText('asked', asked.code, asked.nonce))).toBe(asked.proof)
    expect(proof(removalText('removed', asked.code, asked.nonce, said.deviceId))).toBe(said.proof)
  })

  it('draws the id of a record as both sides do', () => {
    const { deviceId, epoch, seq, id } = worked<{ deviceId: string; epoch: string; seq: number; id: string }>('recordIdExample')
    const bytes = createHash('sha1')
      .update(Buffer.from(RECORD_NAMESPACE.replaceAll('-', ''), 'hex'))
      .update(recordName(deviceId, epoch, seq))
      .digest()
      .subarray(0, 16)
    bytes[6] = (bytes[6]! & 0x0f) | 0x50
    bytes[8] = (bytes[8]! & 0x3f) | 0x80
    expect(bytes.toString('hex')).toBe(id.replaceAll('-', ''))
    expect(worked<{ id: string }>('picture.data').id).toBe(id)
    expect(worked<ofRecords.RecordObject & { records: { seq: number }[] }>('recordsMessage').records[0]!.seq).toBe(seq)
  })

  it('names every field about how strictly a face is judged, with what it is without', () => {
    const { settings } = worked<ofManifest.Manifest>('manifest')
    const [person] = worked<{ persons: ofPersons.PersonObject[] }>('changes.data').persons
    const { margin: _margin, lookAlikeMargin: _lookAlikeMargin, liveness: _liveness, ...olderSettings } = settings
    const { faceThreshold: _faceThreshold, lookAlikes: _lookAlikes, ...olderPerson } = person!
    // A server that does not send them, and a device that ignores them, use the same protocol.
    expect(ofManifest.deviceSettings.parse(olderSettings)).toEqual({ ...olderSettings, margin: 0, lookAlikeMargin: 0, liveness: null })
    expect(personObject.parse(olderPerson)).toEqual({ ...olderPerson, faceThreshold: null, lookAlikes: [] })
    for (const words of ['`settings.margin`', '`settings.lookAlikeMargin`', '`settings.liveness`', '`faceThreshold`', '`lookAlikes`'])
      expect(text).toContain(words)
  })

  it('packs a template as base64 of little-endian floats', () => {
    const { values, template } = worked<{ values: number[]; template: string }>('templateExample')
    const bytes = Buffer.from(template, 'base64')
    expect(bytes.length).toBe(4 * values.length)
    expect(values.map((_, at) => bytes.readFloatLE(4 * at))).toEqual(values)
  })

  it('states the limits the schemas have', () => {
    const most = (schema: unknown): number => (schema as { maxLength?: number }).maxLength ?? 0
    const largest = (schema: z.ZodType, make: (size: number) => unknown, size: number) => {
      expect(schema.safeParse(make(size)).success).toBe(true)
      expect(schema.safeParse(make(size + 1)).success).toBe(false)
    }
    const record = worked<{ records: object[] }>('recordsMessage').records[0]!
    const records = (size: number) => ({ epoch: 'e', oldestSeq: 1, sentAt: 1, records: Array.from({ length: size }, () => record) })
    largest(recordsMessage, records, 500)
    largest(
      deviceProtocolCalls.pair.body,
      (size) => ({ protocol: 1, version: '', modelId: '', epochs: Array.from({ length: size }, () => 'e') }),
      100,
    )
    largest(deviceProtocolCalls.persons.body, (size) => ({ modelId: '', ids: Array.from({ length: size }, () => 'i') }), 500)
    const person = worked<{ persons: object[] }>('persons.data').persons[0]!
    largest(personObject, (size) => ({ ...person, lookAlikes: Array.from({ length: size }, () => 'i') }), 100)
    const numbered = { epoch: 'e', oldestSeq: 1, sentAt: 1, modelId: '' }
    const [event] = worked<{ events: object[] }>('doorEvents.body').events
    const [capture] = worked<{ captures: object[] }>('captures.body').captures
    largest(doorEvents.body, (size) => ({ ...numbered, events: Array.from({ length: size }, () => event) }), EVENTS_PER_MESSAGE)
    largest(
      numberedCaptures.captures.body,
      (size) => ({ ...numbered, captures: Array.from({ length: size }, () => capture) }),
      CAPTURES_PER_MESSAGE,
    )
    const exception = { personId: 'p', version: '0'.repeat(16), reason: 'noFace' }
    largest(
      deviceProtocolCalls.exceptions.body,
      (size) => ({ audience: 'a', cursor: 0, exceptions: Array.from({ length: size }, () => exception) }),
      20_000,
    )
    largest(deviceProtocolCalls.identify.body, (size) => ({ modelId: '', template: 'A'.repeat(size) }), 20_000)
    expect(most(recordObject.shape.checks)).toBe(400)
    for (const schema of [recordObject.shape.revision, recordsMessage.shape.epoch, personException.shape.reason])
      expect(most(schema)).toBe(64)
    for (const words of [
      '500 records',
      'epochs named when pairing | 100',
      'ids of `persons` | 500',
      'look-alikes of a person | 100',
      'exceptions | 20,000',
      '`checks` | 400',
      '| template sent to `identify` | 20,000',
      `${EVENTS_PER_MESSAGE} in a message`,
      `${CAPTURES_PER_MESSAGE} in a message`,
    ])
      expect(text).toContain(words)
  })
})
