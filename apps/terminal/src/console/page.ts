/** The console's pages. Their TypeScript is stripped of its types once, at the start, like the screen's. */
import { readdirSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { LANGUAGES } from '@gatehouse/contract'
import { CONTENT_TYPES, contentOf, serveAsset, servePackages, serveHtml } from '../http/assets.ts'
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

/** Modules of packages that the pages import. */
const PACKAGES = {
  preact: '/console/packages/preact.js',
  'preact/hooks': '/console/packages/preact-hooks.js',
  htm: '/console/packages/htm.js',
}

/** Serve the pages at `/console/…`, their files beside them and their texts at `/console/texts/{language}.json`. */
export function serveConsolePages(server: FastifyInstance): void {
  for (const path of readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })) {
    if (!(extname(path) in CONTENT_TYPES) || path.endsWith('.test.ts') || path === 'index.html') continue
    serveAsset(server, `/console/${path.replaceAll(sep, '/')}`, contentOf(join(FOLDER, path), PACKAGES))
  }
  servePackages(server, PACKAGES)
  for (const language of LANGUAGES) serveAsset(server, `/console/texts/${language}.json`, JSON.stringify(wordsOfPages(language)))
  const page = contentOf(join(FOLDER, 'index.html'), {})
  for (const name of ['', ...PAGES]) serveHtml(server, `/console/${name}`, page)
  server.get('/console', { config: { reach: 'everybody' } }, async (_request, reply) => reply.redirect('/console/'))
}
