/** Which proxy headers the server trusts about its clients: none with TRUST_PROXY=off, else those of a proxy on this machine. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressOf, type Call } from '@gatehouse/contract'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { enrolmentCalls } from '@gatehouse/contract/enrolment/calls'
import { startWorld, type World } from '@gatehouse/dev-env/world'

/** Headers of a client behind a proxy, or of one that pretends to be. */
const FORWARDED = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'gate.example' }

interface Answer {
  headers: Headers
  data: Record<string, unknown>
}

async function askForwarded(world: World, call: Call, authorization: string, body: unknown): Promise<Answer> {
  const headers = { ...FORWARDED, authorization, 'content-type': 'application/json' }
  const response = await fetch(world.url + addressOf(call, {}), { method: call.method, headers, body: JSON.stringify(body) })
  expect(response.status).toBe(200)
  return { headers: response.headers, data: ((await response.json()) as { data: Record<string, unknown> }).data }
}

/** Create a link. Return it, the address in the log, and whether the answer makes the browser keep to https. */
async function linkMade(world: World): Promise<{ link: URL; ip: string; remembered: boolean }> {
  const { id: groupId } = await world.personGroup()
  const { credentials } = world.client
  if (credentials === null || !('bearer' in credentials)) throw new Error('nobody has logged in')
  const { headers, data } = await askForwarded(world, enrolmentCalls.createLink, `Bearer ${credentials.bearer}`, { groupId })
  await world.server.platform.audit.settled()
  const { content } = await world.call(auditCalls.operations, { query: { page: 1, size: 1 } })
  return { link: new URL(data['url'] as string), ip: content[0]!.ip, remembered: headers.has('strict-transport-security') }
}

describe('with TRUST_PROXY=off', () => {
  let world: World
  beforeAll(async () => void (world = await startWorld({ config: { trustProxy: [], trustProxyGiven: true } })))
  afterAll(() => world?.stop())

  it('neither address nor protocol nor host is what somebody says', async () => {
    const { link, ip, remembered } = await linkMade(world)
    expect([link.origin, ip, remembered]).toEqual([world.url, '127.0.0.1', false])
  })
})

describe('with TRUST_PROXY=loopback', () => {
  let world: World
  beforeAll(async () => void (world = await startWorld()))
  afterAll(() => world?.stop())

  it('they are what the proxy of this machine says', async () => {
    const { link, ip, remembered } = await linkMade(world)
    expect([link.origin, ip, remembered]).toEqual(['https://gate.example', '203.0.113.9', true])
  })
})

describe('with TRUST_PROXY naming another machine', () => {
  let world: World
  beforeAll(async () => void (world = await startWorld({ config: { trustProxy: ['192.0.2.0/24'], trustProxyGiven: true } })))
  afterAll(() => world?.stop())

  it('what comes from this one is not believed', async () => {
    const { link, ip, remembered } = await linkMade(world)
    expect([link.origin, ip, remembered]).toEqual([world.url, '127.0.0.1', false])
  })
})
