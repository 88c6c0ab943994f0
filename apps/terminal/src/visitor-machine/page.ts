/** The page of the visitor machine: its files, served like those of the screen, and a sentence in its place while the device is none. */
import { readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { LANGUAGES, languageOf, type Language } from '@gatehouse/contract'
import { CONTENT_TYPES, contentOf, PAGE_HEADERS, serveAsset } from '../http/assets.ts'
import chinese from './i18n/zh-CN.json' with { type: 'json' }
import taiwanese from './i18n/zh-TW.json' with { type: 'json' }
import english from './i18n/en.json' with { type: 'json' }

const FOLDER = join(import.meta.dirname, 'page')
/** Modules of the screen and of the console that the page imports, under the addresses at which these pages serve them. */
const MODULES = {
  '../../screen/camera.ts': '/camera.ts',
  '../../screen/inputs-wedge.ts': '/inputs-wedge.ts',
  '../../screen/texts.ts': '/texts.ts',
  '../../console/pages/kit/html.ts': '/console/kit/html.ts',
  preact: '/console/packages/preact.js',
  'preact/hooks': '/console/packages/preact-hooks.js',
}
const PAGE = 'index.html'

export const WORDS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  'zh-CN': chinese,
  'zh-TW': taiwanese,
  en: english,
}

/** Serve the page at `/visitor-machine`, its files beside it and its words at `/visitor-machine/texts/{language}.json`. */
export function serveMachinePage(server: FastifyInstance, isMachine: () => boolean): void {
  for (const name of readdirSync(FOLDER))
    if (extname(name) in CONTENT_TYPES && !name.endsWith('.test.ts') && name !== PAGE)
      serveAsset(server, `/visitor-machine/${name}`, contentOf(join(FOLDER, name), MODULES))
  for (const language of LANGUAGES) serveAsset(server, `/visitor-machine/texts/${language}.json`, JSON.stringify(WORDS[language]))
  const page = contentOf(join(FOLDER, PAGE), {})
  server.get('/visitor-machine', { config: { reach: 'thisMachine' } }, async (request, reply) => {
    const language = languageOf(request.headers['accept-language'])
    const body = isMachine() ? page : noMachinePage(WORDS[language]['noMachine']!)
    return reply
      .code(isMachine() ? 200 : 404)
      .headers({ ...PAGE_HEADERS, vary: 'accept-language' })
      .type(CONTENT_TYPES['.html']!)
      .send(body.replace('lang="en"', `lang="${language}"`))
  })
}

/** A page that is loaded again by itself: the device may become a visitor machine. */
const noMachinePage = (sentence: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8" /><meta http-equiv="refresh" content="15" /><title>Gatehouse</title>
<link rel="stylesheet" href="/base.css" /></head><body><main><p>${sentence}</p></main></body></html>`
