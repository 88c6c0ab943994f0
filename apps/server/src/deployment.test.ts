/** The files in `deploy` cannot be run here, but everything they name must exist. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startVariables } from '@gatehouse/dev-env/start-variables'
import { serverVariables } from './variables.ts'

const ROOT = join(import.meta.dirname, '../../..')
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found]) => found!)

const unit = textOf('deploy/gatehouse.service')
const image = textOf('deploy/Dockerfile')
const compose = textOf('deploy/compose.yaml')

/** Names of all environment variables the server reads. */
const settings = (): Set<string> => new Set(Object.keys(serverVariables))

test('the table of settings has each variable, and no other', () => {
  const [, table = ''] = /^## Settings\n([^#]*)\n## /m.exec(textOf('README.md').replaceAll(/\([^)\n]*#[^)\n]*\)/g, '')) ?? []
  const named = new Set(all(table, /`([A-Z]+(?:_[A-Z]+)*)(?:`|\/)/g))
  const isFileOfSecret = (name: string): boolean => name.endsWith('_FILE') && name.slice(0, -'_FILE'.length) in startVariables
  // The table states once for all secrets that each may be in a file.
  const variables = Object.keys(startVariables).filter((name) => !isFileOfSecret(name))
  expect([...named].filter((name) => name !== 'NAME_FILE').toSorted()).toEqual(variables.toSorted())
})

test('each variable says in one sentence what it sets', () => {
  for (const [name, { description }] of Object.entries(startVariables)) expect(description, name).toMatch(/^[A-Z].*[^.]\.$/)
})

test('each setting is one the server reads', () => {
  const [, server = ''] = /^ {2}server:\n((?: {4}.*\n)+)/m.exec(compose) ?? []
  const set = {
    unit: all(unit, /^Environment=(\w+)=/gm),
    image: all(image, /^ENV (\w+)=/gm),
    compose: all(server, /^ {6}([A-Z_]+):/gm),
  }
  expect(set).toMatchObject({ unit: ['DATA_DIR'], image: ['DATA_DIR'] })
  expect(set.compose).toContain('DATABASE_URL_FILE')
  const known = settings()
  expect(
    Object.values(set)
      .flat()
      .filter((name) => !known.has(name)),
  ).toEqual([])
})

test('each file of the repository that is named exists', () => {
  const docs = ['backup', 'deployment', 'https'].map((name) => textOf(`docs/operations/${name}.md`))
  const named = [unit, image, compose, ...docs].flatMap((text) =>
    all(text, /((?:apps|scripts|deploy|docs)\/[\w./-]+\.(?:ts|mjs|md|service|yaml|conf|sh))/g),
  )
  expect(named).toContain('apps/server/src/main.ts')
  expect(named).toContain('apps/server/src/backup/main.ts')
  expect(named).toContain('deploy/nginx.conf')
  expect(
    [...named, 'deploy/Dockerfile', 'deploy/Caddyfile', 'deploy/mosquitto.conf'].filter((path) => !existsSync(join(ROOT, path))),
  ).toEqual([])
})

describe('compose.yaml', () => {
  test('mounts each secret its services are told to read', () => {
    const read = [...all(compose, /_FILE: \/run\/secrets\/(\w+)/g), ...all(textOf('deploy/postgres-role.sh'), /\/run\/secrets\/(\w+)/g)]
    const [, defined = ''] = /^secrets:\n((?: .*\n)+)/m.exec(compose) ?? []
    expect(read.toSorted()).toEqual(all(defined, /^ {2}(\w+):/gm).toSorted())
    for (const name of read) expect(textOf('docs/operations/deployment.md')).toContain(`secrets/${name}`)
  })

  test('gives the server a role that is no superuser', () => {
    expect(compose).not.toContain('POSTGRES_USER')
    expect(compose).toContain('./postgres-role.sh:/docker-entrypoint-initdb.d/')
    expect(textOf('deploy/postgres-role.sh')).toContain('CREATE ROLE gatehouse LOGIN PASSWORD')
    expect(textOf('docs/operations/deployment.md')).toContain('postgres://gatehouse:$password@postgres:5432/gatehouse')
  })

  test('runs Mosquitto with the lines its page asks for', () => {
    const [, page = ''] = /```\n(listener 1883\n[^`]*)```/.exec(textOf('docs/operations/mosquitto.md')) ?? []
    const linesOf = (text: string) => text.split('\n').filter((line) => line !== '' && !/^#|^plugin/.test(line))
    expect(linesOf(page).length).toBeGreaterThan(5)
    expect(linesOf(textOf('deploy/mosquitto.conf'))).toEqual(linesOf(page))
  })
})

test.each([
  ['nginx', 'nginx.conf'],
  ['caddy', 'Caddyfile'],
])('the page about https shows the configuration of %s to the letter', (language, file) => {
  expect(textOf('docs/operations/https.md')).toContain(`\n\`\`\`${language}\n${textOf(`deploy/${file}`)}\`\`\`\n`)
})

test('the page about https names settings the server reads', () => {
  const known = settings()
  const named = all(textOf('docs/operations/https.md'), /`?\b((?:TLS|TRUST|PROXY|MQTT|HOST|PORT)(?:_[A-Z_]+)?)(?:=|`)/g)
  expect(named).toContain('PROXY_CERT_FILE')
  expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([])
})
