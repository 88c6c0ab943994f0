/** Actions on the selected visits of the list. Those that the server refuses stay selected. */
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import type { VisitRow } from '@gatehouse/contract/visitors/visit'
import type { VisitActions } from './useVisitActions.ts'

export function BulkVisits({ visits, actions }: { visits: VisitRow[]; actions: VisitActions }) {
  const { t } = useTranslation('visitors')
  const none = (ability: keyof VisitRow['can']): boolean => !visits.some(({ can }) => can[ability])
  return (
    <>
      <Button disabled={none('accept')} onClick={() => actions.accept(visits)}>
        {t('accept')}
      </Button>
      <Button disabled={none('refuse')} onClick={() => actions.refusing.edit(visits)}>
        {t('refuse')}
      </Button>
      <Button disabled={none('signOff')} onClick={() => actions.signingOff.edit(visits)}>
        {t('signOff')}
      </Button>
      <Button danger disabled={none('delete')} onClick={() => actions.remove(visits)}>
        {t('delete')}
      </Button>
    </>
  )
}
