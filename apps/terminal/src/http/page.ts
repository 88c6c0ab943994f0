/** The screen's own files. TypeScript is stripped of its types once, at the start: no build step. */
import { readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { LANGUAGES } from '@gatehouse/contract'
import type { SettingFiles } from '../settings/files.ts'
import { CONTENT_TYPES, contentOf, PAGE_HEADERS, serveAsset, servePackages, serveHtml } from './assets.ts'
import { TEXTS } from './texts.ts'

const FOLDER = join(import.meta.dirname, '..', 'screen')
/** Modules of the contract that the screen imports. */
const PACKAGES = { '@gatehouse/contract/score': '/score.ts' }

/** Serve the screen at `/`, its files beside it and its texts at `/texts/{language}.json`. */
export function servePage(server: FastifyInstance): void {
  for (const name of readdirSync(FOLDER)) {
    if (!(extname(name) in CONTENT_TYPES) || name.endsWith('.test.ts') || name === 'index.html') continue
    serveAsset(server, `/${name}`, contentOf(join(FOLDER, name), PACKAGES))
  }
  servePackages(server, PACKAGES)
  serveHtml(server, '/', contentOf(join(FOLDER, 'index.html'), {}))
  for (const language of LANGUAGES) serveAsset(server, `/texts/${language}.json`, JSON.stringify(TEXTS[language]))
}

/** Serve voice prompt and screen saver of the settings at `/files/{id}`. A different file has a different id. */
export function serveFiles(server: FastifyInstance, files: SettingFiles): void {
  server.get('/files/:id', { config: { reach: 'everybody' } }, async (request, reply) => {
    const file = files.read((request.params as { id: string }).id)
    if (file === null) return reply.code(404).send({ reason: 'notFound' })
    return reply
      .headers({ ...PAGE_HEADERS, 'cache-control': 'private, max-age=86400, immutable' })
      .type(file.type)
      .send(Buffer.from(file.bytes))
  })
}
