/** The badge of a visit: who gets one, and the actions that print it. */
import { useTranslation } from 'react-i18next'
import { visitorStatus } from '@gatehouse/contract/enums/visitors'
import type { VisitRow } from '@gatehouse/contract/visitors/visit'
import type { RowAction } from '../../../kit/list/RowMenu.tsx'
import { usePrintVisit, type PrintVisit } from '../../printers/index.ts'

type Printable = Pick<VisitRow, 'id' | 'name' | 'status' | 'enabled' | 'authorisationExpiry'>

export interface VisitPrinting extends Pick<PrintVisit, 'offered' | 'chooser'> {
  canPrint: (visit: Printable) => boolean
  print: (visit: Printable) => void
  menuOf: (visit: Printable) => RowAction[]
}

/** Statuses of visits that are agreed and not over: the server prints no badge for another one. */
const AGREED: readonly number[] = [visitorStatus.notYetVisited, visitorStatus.awaitingVerification, visitorStatus.checkedIn]

export function useVisitPrinting(): VisitPrinting {
  const { t } = useTranslation('visitors')
  const { offered, print, choose, pending, chooser } = usePrintVisit()
  const canPrint = ({ status, enabled, authorisationExpiry }: Printable): boolean =>
    offered && enabled && AGREED.includes(status) && authorisationExpiry > Date.now()
  /** Ignore a second press while the first one is under way. */
  const unlessPending =
    (run: typeof print) =>
    ({ id, name }: Printable): void => {
      if (!pending) run({ id, name })
    }
  return {
    offered,
    canPrint,
    print: unlessPending(print),
    menuOf: (visit) => {
      const allowed = canPrint(visit)
      return [
        { key: 'print', label: t('print'), allowed, run: () => unlessPending(print)(visit) },
        { key: 'choosePrinter', label: t('choosePrinter'), allowed, run: () => unlessPending(choose)(visit) },
      ]
    },
    chooser,
  }
}
