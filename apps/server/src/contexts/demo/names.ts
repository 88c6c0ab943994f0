/** Names of the park and its company once the demo is removed. */
import type { OrganisationService } from '../organisation/index.ts'
import type { RenamedNode } from './schema.ts'

/** Restore the names and zones from before the demo, where they are still the demo's. A repeated call changes nothing. */
export async function restoreNames(
  organisation: Pick<OrganisationService, 'get' | 'change' | 'tree'>,
  renamed: readonly RenamedNode[],
): Promise<void> {
  for (const { id, before, after } of renamed) {
    const node = organisation.get(id)
    if (node === undefined) continue
    const siblings = node.parentId === null ? [] : organisation.tree().children(node.parentId)
    const isFree = !siblings.some((other) => other.id !== id && other.name === before.name)
    const name = node.name === after.name && isFree ? before.name : node.name
    const zone = node.zone === after.zone ? before.zone : node.zone
    if (name !== node.name || zone !== node.zone) await organisation.change(id, { name, zone })
  }
}
