/** The console reads an area again whenever a change affects data from which the server makes its answers. */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { callsByArea } from '@gatehouse/contract/calls'
import { isAffected } from '../../apps/console/src/api/affected.ts'
import type { ContextDefinition } from '../../apps/server/src/platform/context.ts'

const contexts = join(import.meta.dirname, '../../apps/server/src/contexts')
const hasCalls = (area: string): boolean => area in callsByArea
const isDefinition = (value: unknown): value is ContextDefinition =>
  typeof value === 'object' && value !== null && 'uses' in value && 'create' in value

it('an area that uses another is read again after a change of that one', async () => {
  const missing: string[] = []
  for (const file of globSync('*/index.ts', { cwd: contexts })) {
    const module = (await import(join(contexts, file))) as Record<string, unknown>
    for (const { name, uses } of Object.values(module).filter(isDefinition))
      for (const used of Object.values(uses).map((context) => context.name))
        if (hasCalls(name) && hasCalls(used) && !isAffected(name, used)) missing.push(`${used} is shown in ${name}`)
  }
  expect(missing).toEqual([])
})
