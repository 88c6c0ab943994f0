/** The console reads an area again where the server makes its answers of what was changed. */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Area } from '@gatehouse/contract'
import { isAffected, SHOWN_IN } from '../../apps/console/src/api/affected.ts'
import type { ContextDefinition } from '../../apps/server/src/platform/context.ts'

const contexts = join(import.meta.dirname, '../../apps/server/src/contexts')
const isDefinition = (value: unknown): value is ContextDefinition =>
  typeof value === 'object' && value !== null && 'uses' in value && 'create' in value
const isArea = (name: string): name is Area => name in SHOWN_IN

it('an area that uses another is read again after a change of that one', async () => {
  const missing: string[] = []
  for (const file of globSync('*/index.ts', { cwd: contexts })) {
    const module = (await import(join(contexts, file))) as Record<string, unknown>
    for (const { name, uses } of Object.values(module).filter(isDefinition))
      for (const used of Object.values(uses).map((context) => context.name))
        if (isArea(name) && isArea(used) && !isAffected(name, used)) missing.push(`${used} is shown in ${name}`)
  }
  expect(missing).toEqual([])
})
