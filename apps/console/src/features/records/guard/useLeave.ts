/** The way back to where guard mode was opened; a tab that began with it goes on to the records, of the same door. */
import { useLocation, useNavigate } from 'react-router'
import { path } from '../../../paths.ts'

export function useLeave(): () => void {
  const navigate = useNavigate()
  const { search } = useLocation()
  return () => {
    const { idx = 0 } = (window.history.state ?? {}) as { idx?: number }
    void (idx > 0 ? navigate(-1) : navigate(path('staffCurrent') + search, { replace: true }))
  }
}
