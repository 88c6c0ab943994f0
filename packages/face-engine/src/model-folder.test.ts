import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { modelFolder } from './model-folder.ts'

it('a folder that is asked for must hold a set; nobody asking gets the built-in engine', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-models-'))
  try {
    expect(() => modelFolder(folder)).toThrow(
      `${folder} holds no set of models (model.json). Fetch one with npm run models -- --to ${folder}`,
    )
    writeFileSync(join(folder, 'model.json'), '{}')
    expect(modelFolder(folder)).toBe(folder)
    expect(modelFolder('')).toBe(modelFolder(undefined))
  } finally {
    rmSync(folder, { recursive: true })
  }
})
