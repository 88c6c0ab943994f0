/** What a form hands to the page it leads to, said there once: the history of the browser, which a reload reads again, forgets it at once. */
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { PermitResult } from '../approvals/index.ts'

export interface JustSaved {
  registered?: boolean
  /** What became of the permission that was asked for with it. */
  permitted?: PermitResult | undefined
}

interface Said {
  said: JustSaved | null
  say: (next: JustSaved | null) => void
}

export function useJustSaved(personId: string): Said {
  const navigate = useNavigate()
  const { state: handed, pathname, search } = useLocation() as { state: JustSaved | null; pathname: string; search: string }
  const [kept, keep] = useState({ personId, said: handed })
  // The same page may be led to again, with news or about another person.
  if (kept.personId !== personId) keep({ personId, said: handed })
  else if (handed !== null && handed !== kept.said) keep({ personId, said: handed })
  useEffect(() => {
    if (handed !== null) void navigate({ pathname, search }, { replace: true, state: null })
  }, [handed, navigate, pathname, search])
  return { said: kept.said, say: (said) => keep({ personId, said }) }
}
