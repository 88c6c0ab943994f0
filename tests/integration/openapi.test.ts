/**
 * `/openapi.json` is sufficient by itself: a linter finds nothing, the clients that two generators make of it compile, and a program
 * written with them does what the description says.
 */
import { execFile } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient as generateClient } from '@hey-api/openapi-ts'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scratchFolder } from '../support/scratch-folder.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')

/** A program of an integrator: each answer is distinguished by its code, and a mismatch of types does not compile. */
const PROGRAM = `
import createClient from 'openapi-fetch'
import type { paths } from './types.ts'
import { deleteBizServiceUfaceV1PersonGroup, getBizServiceUfaceV1PersonGroupTree } from './sdk/sdk.gen.ts'
import { client as generated } from './sdk/client.gen.ts'

const [baseUrl = '', token = ''] = process.argv.slice(2)
const headers = { authorization: \`Bearer \${token}\` }
const client = createClient<paths>({ baseUrl, headers })
generated.setConfig({ baseUrl, headers })

const made = await client.POST('/bizService/uface/v1/person/group', { body: { name: 'Nightshift' } })
if (made.data?.code !== 0) throw new Error(JSON.stringify(made.error ?? made.data))
const { id } = made.data.data

const again = await client.POST('/bizService/uface/v1/person/group', { body: { name: 'Nightshift' } })
const refused: 200107 | 0 | undefined = again.data?.code

// @ts-expect-error: a name is a text
const unfit = await client.POST('/bizService/uface/v1/person/group', { body: { name: 5 } })

const tree = await getBizServiceUfaceV1PersonGroupTree({ throwOnError: true })
const names: string[] = tree.data.data.flatMap((node) => [node.name, ...node.children.map((child) => child.name)])
const gone = await deleteBizServiceUfaceV1PersonGroup({ query: { id }, throwOnError: true })

const invalid = await client.POST('/bizService/uface/v1/person/group', { body: { name: '' } })
const rules: string[] = 'data' in invalid.error! ? invalid.error.data!.fields!.map(({ path, rule }) => path + ' ' + rule) : []
console.log(JSON.stringify({ refused, unfit: unfit.response.status, names, gone: gone.data.code, rules }))
`

let world: World
let text: string
beforeAll(async () => {
  world = await startWorld()
  text = await (await fetch(`${world.url}/openapi.json`)).text()
})
afterAll(() => world.stop())

it('a public linter finds nothing by its recommended rules', async () => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // PUT /users/{id}/enable is defined by the specification; /users/sessions/{id}, with which it could be confused, has DELETE alone.
      'no-ambiguous-paths': 'off',
    },
  })
  const problems = await lintFromString({ source: text, config, absoluteRef: '/openapi.json' })
  expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`)).toEqual([])
})

it('two generators make clients of it that compile, and a program written with them does what it says', async () => {
  const folder = scratchFolder()
  const path = (name: string) => join(folder, name)
  await writeFile(path('types.ts'), astToString(await openapiTypes(JSON.parse(text) as OpenAPI3)))
  await writeFile(path('openapi.json'), text)
  await generateClient({
    input: path('openapi.json'),
    output: { path: path('sdk'), module: { extension: '.ts' } },
    plugins: ['@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript'],
    logs: { level: 'silent', file: false },
  })
  await writeFile(path('program.ts'), PROGRAM)
  await writeFile(path('package.json'), '{ "type": "module" }')
  await writeFile(
    path('tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        target: 'esnext',
        module: 'nodenext',
        lib: ['esnext', 'dom', 'dom.iterable'],
        types: ['node'],
        allowImportingTsExtensions: true,
      },
      include: ['program.ts', 'sdk'],
    }),
  )
  await symlink(join(ROOT, 'node_modules'), path('node_modules'))
  const compiled = await run(process.execPath, [join(ROOT, 'node_modules/typescript-native/bin/tsc'), '-p', folder]).catch(
    (error: { stdout: string }) => error,
  )
  expect(compiled.stdout).toBe('')

  const { credentials } = world.client
  const { stdout } = await run(process.execPath, [path('program.ts'), world.url, (credentials as { bearer: string }).bearer])
  expect(JSON.parse(stdout)).toEqual({
    refused: 200107,
    unfit: 400,
    names: expect.arrayContaining(['Nightshift']),
    gone: 0,
    rules: ['name required'],
  })
})
