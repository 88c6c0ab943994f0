/** The machine-readable documents are served as they are made. */
import { asyncApi } from '@gatehouse/contract/device/asyncapi'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import fastify from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { handler } from '../context.ts'
import { mountDocumentation } from './documentation.ts'

it('serves the messages of devices beside the calls, and the page names both', async () => {
  const app = fastify()
  onTestFinished(() => app.close())
  mountDocumentation(app, [handler(deviceProtocolCalls.manifest, () => Promise.reject(new Error('not called')))])
  expect((await app.inject('/asyncapi.json')).json()).toEqual(asyncApi())
  expect(Object.keys((await app.inject('/openapi.json')).json<{ paths: object }>().paths)).toEqual([deviceProtocolCalls.manifest.url])
  const { paths, components } = (await app.inject('/openapi.json')).json<{
    paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
    components: { responses: Record<string, unknown> }
  }>()
  expect(paths[deviceProtocolCalls.manifest.url]!['get']!.responses['429']).toEqual({ $ref: '#/components/responses/TooMany' })
  expect(components.responses['TooMany']).toMatchObject({ headers: { 'Retry-After': { required: true, schema: { type: 'integer' } } } })
  const page = (await app.inject('/docs')).body
  expect(page).toContain('/asyncapi.json')
  expect(page).toContain('/openapi.json')
})
