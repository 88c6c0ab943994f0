/**
 * The calls of the specification, each asked as it writes them: its addresses and the field names of product.txt, calls.txt and
 * entities.json, and none that only our schemas know. Where the specification shows no fields, those of the entity are taken.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '@gatehouse/dev-env/client'
import type { Clock } from '@gatehouse/server/platform/time/clock'
import { startWorld, type Site, type World, type WorldOptions } from '@gatehouse/dev-env/world'
import { clockAhead } from '../clock-ahead.ts'
import { entityFields, type EntityName } from './entities.ts'

/** Services of the specification and where they answer, by point 7 of calls.txt. */
const SERVICES = { as: '/asService/uface/v1', biz: '/bizService/uface/v1', export: '/exportService/uface/v1' } as const
type Service = keyof typeof SERVICES

export type Json = Record<string, unknown>
type Body = Json | FormData | URLSearchParams
/** A bearer token, a client's id and secret, or nothing. */
type Credentials = string | { basic: readonly [id: string, secret: string] } | null

/** What an answer says, whatever it says. */
export interface Said {
  status: number
  code: number
  message: string | undefined
  /** Of the token call, which has no envelope: the whole answer. */
  data: unknown
}

/** Somebody with a session and an HTTP client. */
export interface Integrator {
  /** Asks, and gives the answer whole. Paths are those of calls.txt; a query stands in the path. */
  ask(service: Service, method: string, path: string, body?: Body): Promise<Said>
  /** Asks, and takes nothing but success. @returns `data` */
  done<T = Json>(service: Service, method: string, path: string, body?: Body): Promise<T>
  /** As `done`, for a list: `total` and `content`, as point 7.1 names them. */
  listed(service: Service, method: string, path: string, body?: Body): Promise<Json[]>
  /** The bytes of an answer that is a file. */
  file(service: Service, method: string, path: string, body?: Body): Promise<{ type: string; bytes: Buffer }>
}

/** Where a call is tried. */
export interface Ground extends Integrator {
  world: World
  /** A park of its own for the file; an integrator who may do everything in it asks. */
  park: Site
  /** A clock that can be set ahead while something is done. */
  after<T>(milliseconds: number, work: () => Promise<T>): Promise<T>
  /** Somebody who may do everything in another park, a new one, and in no other. */
  elsewhere(): Promise<Integrator & { park: Site }>
  /** The same for another session by its bearer token, for a client, or for nobody. */
  by(credentials: Credentials): Integrator
}

/** A call of the specification and what it does, seen from outside. */
export interface SpecifiedCall {
  /** As in calls.json. */
  id: `CALL-${number}`
  service: Service
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** As in calls.json. */
  path: string
  /** What it does, as the title of its test. */
  does: string
  holds(ground: Ground): Promise<void>
}

/** The calls one file tries, in one world. */
export function trySpecified(calls: readonly SpecifiedCall[], options: Omit<WorldOptions, 'clock'> = {}): void {
  const ahead = clockAhead()
  const clock: Clock = ahead.clock
  let world: World
  let park: Site
  beforeAll(async () => {
    world = await startWorld({ ...options, clock })
    park = await world.addPark()
  })
  afterAll(() => world.stop())

  test.each(calls.map((call): [string, SpecifiedCall] => [titleOf(call), call]))('%s', async (_, call) => {
    const succeeded = new Set<string>()
    const by = (credentials: Credentials) => integratorOf(world.url, credentials, succeeded)
    await call.holds({
      ...by(bearerOf(park.client)),
      world,
      park,
      after: ahead.after,
      async elsewhere() {
        const other = await world.addPark()
        return { ...by(bearerOf(await world.session({ park: other.park }))), park: other }
      },
      by,
    })
    // A test that never came to its own call proves nothing about it.
    const shape = shapeOf(call)
    expect([...succeeded].filter((asked) => shape.test(asked)).length, `${titleOf(call)} was asked with success`).toBeGreaterThan(0)
  })
}

/** Asserts that something bears every field the specification gives the entity, besides those named. */
export function bears(thing: Json, entity: EntityName, { without = [] }: { without?: readonly string[] } = {}): void {
  expect(Object.keys(thing), `fields of ${entity}`).toEqual(
    expect.arrayContaining(entityFields[entity].filter((field) => !without.includes(field))),
  )
}

const titleOf = ({ id, method, service, path, does }: SpecifiedCall) => `${id} ${method} ${SERVICES[service]}${path}: ${does}`
/** The token of a site's or a session's client. */
export const bearerOf = ({ credentials }: Pick<Client, 'credentials'>) => (credentials as { bearer: string }).bearer

/** Recognises what was asked, whatever its parameters and query. */
function shapeOf({ method, service, path }: SpecifiedCall): RegExp {
  const written = (SERVICES[service] + path).replace(/\/$/, '').replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(`^${method} ${written.replaceAll(/\{[^}]*\}/g, '[^/?]+')}/?(\\?.*)?$`)
}

function authorizationOf(credentials: Credentials): Record<string, string> {
  if (credentials === null) return {}
  if (typeof credentials === 'string') return { authorization: `Bearer ${credentials}` }
  return { authorization: `Basic ${Buffer.from(credentials.basic.join(':')).toString('base64')}` }
}

/** @param succeeded takes down what was asked with success: method and address */
export function integratorOf(url: string, credentials: Credentials, succeeded = new Set<string>()): Integrator {
  async function send(service: Service, method: string, path: string, body?: Body): Promise<Response> {
    const isForm = body instanceof FormData || body instanceof URLSearchParams
    return fetch(url + SERVICES[service] + path, {
      method,
      headers: {
        ...authorizationOf(credentials),
        'accept-language': 'zh-CN',
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    })
  }
  const note = (service: Service, method: string, path: string) => succeeded.add(`${method} ${SERVICES[service]}${path}`)

  const ask: Integrator['ask'] = async (service, method, path, body) => {
    const response = await send(service, method, path, body)
    const { code = 0, message, ...rest } = (await response.json()) as { code?: number; message?: string; data?: unknown }
    const data = 'access_token' in rest ? rest : rest.data
    if (response.status === 200 && code === 0) note(service, method, path)
    return { status: response.status, code, message, data }
  }
  const done = async <T>(service: Service, method: string, path: string, body?: Body): Promise<T> => {
    const said = await ask(service, method, path, body)
    expect(said, `${method} ${path}`).toMatchObject({ status: 200, code: 0 })
    return said.data as T
  }
  return {
    ask,
    done,
    async listed(service, method, path, body) {
      const { total, content } = await done<{ total: number; content: Json[] }>(service, method, path, body)
      expect(total, `total of ${path}`).toBeGreaterThanOrEqual(content.length)
      return content
    },
    async file(service, method, path, body) {
      const response = await send(service, method, path, body)
      const type = response.headers.get('content-type') ?? ''
      const bytes = Buffer.from(await response.arrayBuffer())
      expect(response.status, `${method} ${path}`).toBe(200)
      expect(type, `${method} ${path} answers a file`).not.toContain('json')
      note(service, method, path)
      return { type, bytes }
    },
  }
}
