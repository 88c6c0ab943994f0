/** Which groups of a tree are folded, and the line the arrow keys have led to. */
import { useState } from 'react'
import type { PersonGroupNode } from '@gatehouse/contract/people/groups'
import { pathTo } from './lines.ts'

export interface TreeCursor {
  folded: ReadonlySet<string>
  setFolded: (id: string, isFolded: boolean) => void
  /** The line of the arrow keys, whose `id` is undefined for everything; undefined: they start from the chosen line. */
  cursor: { id: string | undefined } | undefined
  moveTo: (id: string | undefined) => void
}

export function useTreeCursor(tree: PersonGroupNode[], chosen: string | undefined, startFolded: ReadonlySet<string>): TreeCursor {
  const [folded, setFolded] = useState(startFolded)
  const [cursor, setCursor] = useState<{ id: string | undefined }>()

  // A group that was chosen elsewhere, or has just been added, opens the tree down to it, once.
  const [shown, setShown] = useState(chosen)
  if (chosen !== shown) {
    const path = pathTo(tree, chosen)
    if (path.length > 0 || chosen === undefined) {
      setShown(chosen)
      setCursor({ id: chosen })
      setFolded(new Set([...folded].filter((id) => !path.slice(0, -1).some((above) => above.id === id))))
    }
  }

  return {
    folded,
    setFolded(id, isFolded) {
      const next = new Set(folded)
      if (isFolded) next.add(id)
      else next.delete(id)
      setFolded(next)
    },
    cursor,
    moveTo: (id) => setCursor({ id }),
  }
}
