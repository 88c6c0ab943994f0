/** /home: what needs somebody, the alarms of today, the park now, today against an ordinary day, and who has just passed. */
import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { sentenceOf } from '../../api/refusal.ts'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useSession } from '../../api/session.ts'
import { TenderNote } from '../system/index.ts'
import { AlarmsToday } from './AlarmsToday.tsx'
import { DemoBanner } from './DemoBanner.tsx'
import { Doors } from './Doors.tsx'
import { FirstSteps, stepsOf } from './FirstSteps.tsx'
import { Now } from './Now.tsx'
import { ParkDay } from './ParkDay.tsx'
import { Passages } from './Passages.tsx'
import { Shortcuts } from './Shortcuts.tsx'
import { Tasks } from './Tasks.tsx'
import { TodayCurve } from './TodayCurve.tsx'
import { useCockpit, type Cockpit } from './useCockpit.ts'
import styles from './home.module.css'

export default function HomePage() {
  const { t } = useTranslation()
  const park = useSession((state) => state.park?.parkName ?? '')
  const cockpit = useCockpit()
  const { demo, failed } = cockpit
  const steps = stepsOf(cockpit)
  return (
    <Screen title={park} note={<ParkDay />}>
      <TenderNote />
      {demo && demo.state !== 'none' && <DemoBanner demo={demo} />}
      {failed && (
        <Alert
          className={styles.failed ?? ''}
          type="error"
          showIcon
          title={sentenceOf(failed.error)}
          action={
            <Button size="small" onClick={() => void failed.refetch()}>
              {t('tryAgain')}
            </Button>
          }
        />
      )}
      {steps.length > 0 && demo?.state !== 'preparing' ? <FirstSteps steps={steps} /> : <Parts cockpit={cockpit} />}
    </Screen>
  )
}

function Parts({ cockpit }: { cockpit: Cockpit }) {
  const { t } = useTranslation('home')
  const { tasks, hits, since, maySee } = cockpit
  const { records, devices, people } = maySee
  if (!records && !devices && !people && !tasks) return <p className={styles.nothing}>{t('nothingToSee')}</p>
  return (
    <div className={styles.cockpit} data-records={records || undefined}>
      {tasks && <Tasks tasks={tasks} />}
      {hits && <AlarmsToday hits={hits} since={since} />}
      <Now cockpit={cockpit} />
      {records && <TodayCurve today={cockpit.today} />}
      {records && <Passages latest={cockpit.latest} refused={cockpit.refused} />}
      {!records && devices && <Doors count={cockpit.devices?.total} />}
      {!records && <Shortcuts />}
    </div>
  )
}
