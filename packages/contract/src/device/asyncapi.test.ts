/**
 * The AsyncAPI document is valid, and the one in docs/protocol is the one that the contract generates. To generate it again:
 *
 * `npx vitest run --project unit packages/contract/src/device/asyncapi.test.ts -u`
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { asyncApi } from './asyncapi.ts'
import { deviceTopics } from './protocol.ts'

type Json = Record<string, unknown>
const FILE = fileURLToPath(new URL('../../../../docs/protocol/asyncapi.json', import.meta.url))
const document = JSON.parse(JSON.stringify(asyncApi())) as {
  asyncapi: string
  info: Json
  servers: Record<string, { host: string; protocol: string; variables: Json; security: Json[] }>
  channels: Record<string, { address: string; parameters: Json; messages: Record<string, Json> }>
  operations: Record<
    string,
    {
      action: string
      channel: { $ref: string }
      messages: { $ref: string }[]
      reply?: { channel: { $ref: string }; messages: { $ref: string }[] }
    }
  >
  components: {
    messages: Record<string, { payload: { $ref: string }; correlationId?: { location: string } }>
    schemas: Record<string, Json>
    securitySchemes: Record<string, Json>
  }
}

function refsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => (key === '$ref' ? [String(member)] : refsOf(member)))
}

const target = (ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as Json | undefined)?.[key], document)

describe('the AsyncAPI document', () => {
  it('is what docs/protocol/asyncapi.json says', async () => {
    expect(existsSync(FILE)).toBe(true)
    await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot(FILE)
  })

  it('has the members AsyncAPI 3.0 requires', () => {
    expect(document.asyncapi).toBe('3.0.0')
    expect(document.info).toMatchObject({ title: expect.any(String), version: '1.0.0' })
    for (const server of Object.values(document.servers)) {
      expect(server.protocol).toBe('mqtt')
      const named = [...server.host.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(Object.keys(server.variables).toSorted()).toEqual(named.toSorted())
    }
    for (const { type } of Object.values(document.components.securitySchemes)) expect(type).toBe('userPassword')
    for (const operation of Object.values(document.operations)) expect(['send', 'receive']).toContain(operation.action)
  })

  it('refers only to what is there', () => {
    const refs = refsOf(document)
    expect(refs.length).toBeGreaterThan(20)
    for (const ref of refs) {
      expect(ref.startsWith('#/'), ref).toBe(true)
      expect(target(ref), ref).toBeDefined()
    }
  })

  it('has a channel for every topic, with its parameters declared, and one operation for each', () => {
    const topics = deviceTopics('{code}')
    expect(Object.fromEntries(Object.entries(document.channels).map(([name, { address }]) => [name, address]))).toEqual(topics)
    for (const { address, parameters, messages } of Object.values(document.channels)) {
      const named = [...address.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(Object.keys(parameters)).toEqual(named)
      expect(Object.keys(messages)).toHaveLength(1)
    }
    const used = Object.values(document.operations).map(({ channel }) => channel.$ref)
    expect(used.toSorted()).toEqual(
      Object.keys(topics)
        .map((name) => `#/channels/${name}`)
        .toSorted(),
    )
    for (const { action, channel } of Object.values(document.operations)) {
      expect((target(channel.$ref) as { address: string }).address).toContain(action === 'send' ? '/up/' : '/down/')
    }
  })

  it('names messages of an operation by its own channel, as 3.0 asks', () => {
    for (const { channel, messages, reply } of Object.values(document.operations)) {
      for (const { $ref } of messages) expect($ref.startsWith(`${channel.$ref}/messages/`), $ref).toBe(true)
      for (const { $ref } of reply?.messages ?? []) expect($ref.startsWith(`${reply!.channel.$ref}/messages/`), $ref).toBe(true)
    }
    expect(document.operations['receiveCommand']?.reply?.channel.$ref).toBe('#/channels/answer')
  })

  it('describes every payload as an object of known fields that may grow', () => {
    for (const [name, message] of Object.entries(document.components.messages)) {
      const payload = target(message.payload.$ref) as { type: string; properties: Json; additionalProperties?: unknown }
      expect(payload.type, name).toBe('object')
      expect(payload.additionalProperties, name).toBeUndefined()
      const field = message.correlationId?.location.split('/')[1]
      if (field !== undefined) expect(Object.keys(payload.properties), name).toContain(field)
    }
    expect(Object.keys((document.components.schemas['status'] as { properties: Json }).properties)).toEqual([
      'online',
      'version',
      'ip',
      'modelId',
      'held',
      'facts',
    ])
    expect((document.components.schemas['status'] as { required: string[] }).required).toEqual(['online'])
  })
})
