/** The screen's own files. TypeScript is stripped of its types once, at the start: no build step. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { extname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { LANGUAGES, languageOf, type Language } from '@gatehouse/contract'
import type { SettingFiles } from '../settings/files.ts'
import { TEXTS } from './texts.ts'

const FOLDER = join(import.meta.dirname, '..', 'screen')
/** What the screen shares with the rest: the package it imports, and the address the browser finds it at. */
const SHARED = { specifier: '@gatehouse/contract/score', address: '/score.ts' }
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ts': 'text/javascript; charset=utf-8',
}
const HEADERS = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'permissions-policy': 'camera=(self), microphone=(), geolocation=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-cache',
}

interface Asset {
  type: string
  body: string
  tag: string
}

/** Serves the screen at `/`, its files beside it and its texts at `/texts/{language}.json`. */
export function servePage(server: FastifyInstance): void {
  for (const name of readdirSync(FOLDER)) {
    const type = TYPES[extname(name)]
    if (!type || name.endsWith('.test.ts') || name.endsWith('.d.ts')) continue
    if (name !== 'index.html') serve(`/${name}`, assetOf(type, contentOf(name)))
  }
  serve(SHARED.address, assetOf(TYPES['.ts']!, stripTypeScriptTypes(readFileSync(new URL(import.meta.resolve(SHARED.specifier)), 'utf8'))))
  const pages = Object.fromEntries(LANGUAGES.map((language) => [language, assetOf(TYPES['.html']!, pageIn(language))]))
  server.get('/', { config: { reach: 'everybody' } }, async (request, reply) => {
    const page = pages[languageOf(request.headers['accept-language'])]!
    return reply
      .headers({ ...HEADERS, vary: 'accept-language' })
      .type(page.type)
      .send(page.body)
  })
  for (const language of LANGUAGES) serve(`/texts/${language}.json`, assetOf('application/json; charset=utf-8', textsOf(language)))

  function serve(path: string, asset: Asset): void {
    server.get(path, { config: { reach: 'everybody' } }, async (request, reply) => {
      reply.headers({ ...HEADERS, etag: asset.tag })
      if (request.headers['if-none-match'] === asset.tag) return reply.code(304).send()
      return reply.type(asset.type).send(asset.body)
    })
  }
}

/** Serves voice prompt and screen saver of the settings at `/files/{id}`. An id is another as soon as the file is. */
export function serveFiles(server: FastifyInstance, files: SettingFiles): void {
  server.get('/files/:id', { config: { reach: 'everybody' } }, async (request, reply) => {
    const file = files.read((request.params as { id: string }).id)
    if (file === null) return reply.code(404).send({ reason: 'notFound' })
    return reply
      .headers({ ...HEADERS, 'cache-control': 'private, max-age=86400, immutable' })
      .type(file.type)
      .send(Buffer.from(file.bytes))
  })
}

function contentOf(name: string): string {
  const text = readFileSync(join(FOLDER, name), 'utf8')
  return name.endsWith('.ts') ? stripTypeScriptTypes(text).replaceAll(`'${SHARED.specifier}'`, `'${SHARED.address}'`) : text
}

/** The page says in which language it begins; the browser's choice is known here already. */
const pageIn = (language: Language) => contentOf('index.html').replace('lang="en"', `lang="${language}"`)

const textsOf = (language: Language) => JSON.stringify(TEXTS[language])

function assetOf(type: string, body: string): Asset {
  return { type, body, tag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` }
}
