/** `/openapi.json` and `/docs`, made from the mounted calls; `/asyncapi.json`, made from the device protocol. */
import { asyncApi } from '@gatehouse/contract/device/asyncapi'
import type { FastifyInstance } from 'fastify'
import type { MountedCall } from '../context.ts'
import { closesBody } from '@gatehouse/contract'
import { openApiOf, permissionsOf, schemaOf, type Json } from './openapi.ts'

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/** Return a plain reference page: without scripts or external addresses, searchable by the browser. */
function pageOf(calls: readonly MountedCall[]): string {
  const rows = calls
    .toSorted((a, b) => (a.call.url < b.call.url ? -1 : 1))
    .map(({ call }) => {
      const part = (title: string, schema: unknown, io: 'input' | 'output', isClosed?: boolean) =>
        schema === undefined
          ? ''
          : `<details><summary>${title}</summary><pre>${escaped(JSON.stringify(schemaOf(schema, io, isClosed), null, 2))}</pre></details>`
      const codes = call.errors === undefined ? '' : `<p>Codes ${call.errors.join(', ')}</p>`
      return (
        `<section><h2><b>${call.method}</b> ${escaped(call.url)}</h2>` +
        `<p>${escaped(call.summary)} <i>${permissionsOf(call)}${call.origin === 'own' ? ' · own' : ''}</i></p>${codes}` +
        `${part('Query', call.query, 'input')}${part('Body', call.body, 'input', closesBody(call))}` +
        `${part('Answer', call.data, 'output')}</section>`
      )
    })
  return (
    `<!doctype html><html lang="en"><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width"><title>Gatehouse API</title>
<style>body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}` +
    `section{border-top:1px solid #8884;padding:.75rem 0}` +
    `h2{font:600 1rem ui-monospace,monospace;margin:0;overflow-wrap:anywhere}` +
    `p{margin:.25rem 0}pre{overflow:auto;background:#8881;padding:.75rem;border-radius:6px}</style>
<h1>Gatehouse API</h1><p>${calls.length} calls. ` +
    `Machine-readable: <a href="/openapi.json">/openapi.json</a>, ` +
    `messages of devices over MQTT <a href="/asyncapi.json">/asyncapi.json</a>. ` +
    `Answers are <code>{ code, message, data }</code>; code 0 is success.</p>${rows.join('')}</html>`
  )
}

export function mountDocumentation(app: FastifyInstance, calls: readonly MountedCall[]): void {
  let document: Json | null = null
  let messages: Json | null = null
  let page: string | null = null
  app.get('/openapi.json', async () => (document ??= openApiOf(calls.map(({ call }) => call))))
  app.get('/asyncapi.json', async () => (messages ??= asyncApi()))
  app.get('/docs', async (_request, reply) => reply.type('text/html; charset=utf-8').send((page ??= pageOf(calls))))
}
