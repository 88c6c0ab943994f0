/**
 * The calls of the specification, each sent as it writes them: its addresses and the field names of product.txt, calls.txt and
 * entities.json, and none that only our schemas have. Where the specification shows no fields, those of the entity are taken.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '@gatehouse/dev-env/client'
import type { Clock } from '@gatehouse/server/platform/time/clock'
import { startWorld, type Site, type World, type WorldOptions } from '@gatehouse/dev-env/world'
import { clockAhead } from '../clock-ahead.ts'
import { entityFields, type EntityName } from './entities.ts'

/** Services of the specification and their base paths, by point 7 of calls.txt. */
const SERVICES = { as: '/asService/uface/v1', biz: '/bizService/uface/v1', export: '/exportService/uface/v1' } as const
type Service = keyof typeof SERVICES

export type Json = Record<string, unknown>
type Body = Json | FormData | URLSearchParams
/** A bearer token, a client's id and secret, or nothing. */
type Credentials = string | { basic: readonly [id: string, secret: string] } | null

/** An answer, whether success or refusal. */
export interface Said {
  status: number
  code: number
  message: string | undefined
  /** For the token call, which has no envelope: the whole answer. */
  data: unknown
}

/** A user with a session and an HTTP client. */
export interface Integrator {
  /** Send a request and return the whole answer. Paths are those of calls.txt; a query is part of the path. */
  ask(service: Service, method: string, path: string, body?: Body): Promise<Said>
  /** Send a request that must succeed. @returns `data` */
  done<T = Json>(service: Service, method: string, path: string, body?: Body): Promise<T>
  /** As `done`, for a list: `total` and `content`, as point 7.1 names them. */
  listed(service: Service, method: string, path: string, body?: Body): Promise<Json[]>
  /** Return the bytes of an answer that is a file. */
  file(service: Service, method: string, path: string, body?: Body): Promise<{ type: string; bytes: Buffer }>
}

/** The park in which a call is tried. */
export interface Ground extends Integrator {
  world: World
  /** A park of its own for the file; the integrator has all permissions in it. */
  park: Site
  /** Run work on a clock that is set ahead this many milliseconds. */
  after<T>(milliseconds: number, work: () => Promise<T>): Promise<T>
  /** Create another park and an integrator with all permissions in it, and none elsewhere. */
  elsewhere(): Promise<Integrator & { park: Site }>
  /** Return an integrator for another session by its bearer token, for a client, or without credentials. */
  by(credentials: Credentials): Integrator
}

/** A call of the specification and its effect, seen from outside. */
export interface SpecifiedCall {
  /** As in calls.json. */
  id: `CALL-${number}`
  service: Service
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** As in calls.json. */
  path: string
  /** Its effect, as the title of its test. */
  does: string
  holds(ground: Ground): Promise<void>
}

/** Define the tests of the calls of one file, in one world. */
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
    // A test that never made its own call proves nothing about it.
    const shape = shapeOf(call)
    expect([...succeeded].filter((asked) => shape.test(asked)).length, `${titleOf(call)} was asked with success`).toBeGreaterThan(0)
  })
}

/** Assert that something has every field the specification gives the entity, except those in `without`. */
export function bears(thing: Json, entity: EntityName, { without = [] }: { without?: readonly string[] } = {}): void {
  expect(Object.keys(thing), `fields of ${entity}`).toEqual(
    expect.arrayContaining(entityFields[entity].filter((field) => !without.includes(field))),
  )
}

const titleOf = ({ id, method, service, path, does }: SpecifiedCall) => `${id} ${method} ${SERVICES[service]}${path}: ${does}`
/** Return the token of a site's or a session's client. */
export const bearerOf = ({ credentials }: Pick<Client, 'credentials'>) => (credentials as { bearer: string }).bearer

/** Return a pattern that matches requests of a call, whatever its parameters and query. */
function shapeOf({ method, service, path }: SpecifiedCall): RegExp {
  const written = (SERVICES[service] + path).replace(/\/$/, '').replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(`^${method} ${written.replaceAll(/\{[^}]*\}/g, '[^/?]+')}/?(\\?.*)?$`)
}

function authorizationOf(credentials: Credentials): Record<string, string> {
  if (credentials === null) return {}
  if (typeof credentials === 'string') return { authorization: `Bearer ${credentials}` }
  return { authorization: `Basic ${Buffer.from(credentials.basic.join(':')).toString('base64')}` }
}

/** @param succeeded receives each successful request: method and address */
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
