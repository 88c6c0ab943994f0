import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { composeUnstarted } from './contexts.ts'
import type { ExtensionPoint, SinglePoint } from './platform/extension-points.ts'

const files = globSync('contexts/*/extension-points.ts', { cwd: import.meta.dirname }).toSorted()

test.each(files)('%s declares points of its own name; those that one area is to serve are served by one', async (file) => {
  const area = file.split('/')[1]!
  const points = Object.values((await import(join(import.meta.dirname, file))) as Record<string, ExtensionPoint<unknown>>)
  const served = composeUnstarted().list.flatMap(({ extensions = [] }) => extensions)
  expect(points.length).toBeGreaterThan(0)
  for (const point of points) {
    expect(point.name).toMatch(new RegExp(`^${area}\\.\\w+$`))
    const count = served.filter((registration) => registration.point === point).length
    if ((point as Partial<SinglePoint<unknown>>).single === true) expect([point.name, count]).toEqual([point.name, 1])
  }
})
