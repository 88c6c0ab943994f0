/** The console's pages: TypeScript stripped of its types once, at the start, like the screen's. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { extname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { LANGUAGES, languageOf } from '@gatehouse/contract'
import { wordsOfPages } from './texts.ts'

const FOLDER = join(import.meta.dirname, 'pages')
/** Addresses of the pages below `/console/`, as the specification proposes them. */
const PAGES = [
  'login',
  'people',
  'bulkPeople',
  'device',
  'detection',
  'settings',
  'time',
  'network',
  'volume',
  'screenSaver',
  'records',
  'account',
] as const

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
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

/** Serves the pages at `/console/…`, their files beside them and their texts at `/console/texts/{language}.json`. */
export function serveConsolePages(server: FastifyInstance): void {
  for (const name of readdirSync(FOLDER)) {
    const type = TYPES[extname(name)]
    if (!type || name.endsWith('.test.ts') || name === 'index.html') continue
    const text = readFileSync(join(FOLDER, name), 'utf8')
    serve(`/console/${name}`, type, name.endsWith('.ts') ? stripTypeScriptTypes(text) : text)
  }
  for (const language of LANGUAGES)
    serve(`/console/texts/${language}.json`, 'application/json; charset=utf-8', JSON.stringify(wordsOfPages(language)))
  const page = readFileSync(join(FOLDER, 'index.html'), 'utf8')
  const inLanguage = Object.fromEntries(LANGUAGES.map((language) => [language, page.replace('lang="en"', `lang="${language}"`)]))
  for (const path of ['', ...PAGES]) {
    server.get(`/console/${path}`, { config: { reach: 'everybody' } }, async (request, reply) =>
      reply
        .headers({ ...HEADERS, vary: 'accept-language' })
        .type(TYPES['.html']!)
        .send(inLanguage[languageOf(request.headers['accept-language'])]),
    )
  }
  server.get('/console', { config: { reach: 'everybody' } }, async (_request, reply) => reply.redirect('/console/'))

  function serve(path: string, type: string, body: string): void {
    const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
    server.get(path, { config: { reach: 'everybody' } }, async (request, reply) => {
      reply.headers({ ...HEADERS, etag: tag })
      if (request.headers['if-none-match'] === tag) return reply.code(304).send()
      return reply.type(type).send(body)
    })
  }
}
