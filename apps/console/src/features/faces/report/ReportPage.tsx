/** /faceReport/{id}: one report: the curves, each part of the gallery against all of it, and the closest pairs of persons. */
import { Alert, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { scoreInWords } from '@gatehouse/contract'
import { faceReportCalls, type FaceReport } from '@gatehouse/contract/faces/report'
import { DetailPage, Section } from '../../../kit/detail/DetailPage.tsx'
import { useRead } from '../../../api/query.ts'
import { formatInstant, useZoneOffset } from '../../../kit/time.ts'
import { useMay } from '../../../api/session.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { path } from '../../../paths.ts'
import type { Curve } from '../curve.ts'
import { Curves } from '../Curves.tsx'
import { FacesScreen, Figures } from '../FacesScreen.tsx'
import { useRateWords } from '../rates.ts'
import { isUnderWay, useWorkWatch } from '../useWorkWatch.ts'
import { WorkProgress } from '../WorkProgress.tsx'
import { WorkTag } from '../WorkTag.tsx'
import { ClosePairs } from './ClosePairs.tsx'
import { keyOf, SliceTable, useSliceName, type Slice } from './SliceTable.tsx'
import styles from '../faces.module.css'
import reportStyles from './report.module.css'

export default function ReportPage() {
  const { t } = useTranslation('faces')
  const { id = '' } = useParams()
  const { offset } = useZoneOffset()
  const report = useRead(faceReportCalls.read, { params: { id } })
  useWorkWatch(isUnderWay(report.data?.work), faceReportCalls.read)
  const cancel = useWrite(faceReportCalls.cancel, { done: t('report.cancelled') })
  const { data } = report
  return (
    <FacesScreen
      tab="faceReport"
      note={
        data && (
          <span className={reportStyles.noted}>
            {formatInstant(data.createdAt, offset)} <WorkTag work={data.work} />
          </span>
        )
      }
    >
      <DetailPage query={report}>
        {(found) => (
          <>
            {found.work.state !== 'done' && (
              <WorkProgress
                work={found.work}
                title={t('report.working')}
                cancel={() => cancel.run({ params: { id }, body: {} })}
                cancelling={cancel.pending}
              />
            )}
            {found.work.state === 'cancelled' && <Alert type="info" showIcon title={t('report.wasCancelled')} />}
            {found.work.state === 'done' && <Measured report={found} />}
          </>
        )}
      </DetailPage>
    </FacesScreen>
  )
}

function Measured({ report }: { report: FaceReport }) {
  const { t } = useTranslation('faces')
  const all = report.slices.find(({ dimension }) => dimension === 'all')
  const mayOpen = useMay('person.list')
  if (!all || all.impostorPairs === 0) {
    return (
      <div className={styles.nothing}>
        <p>
          <b>{t(report.demoPhotos > 0 ? 'report.demoOnly' : 'report.tooFew')}</b>
        </p>
        <p>{t('report.tooFewWords')}</p>
        {mayOpen && <Link to={path('staffList')}>{t('report.toPersons')}</Link>}
      </div>
    )
  }
  return (
    <>
      <DemoNote report={report} />
      <Overall report={report} all={all} />
      {report.slices.length > 1 && (
        <Section title={t('slices.title')}>
          <SliceTable slices={report.slices} />
        </Section>
      )}
      <Section title={t('pairs.title')}>
        <ClosePairs pairs={report.closest} />
      </Section>
    </>
  )
}

/** The notice that drawn portraits of the demo are left out: they do not measure the quality of an engine. */
function DemoNote({ report: { demoPhotos } }: { report: FaceReport }) {
  const { t } = useTranslation('faces')
  const { number } = useRateWords()
  if (demoPhotos === 0) return null
  return (
    <Alert
      className={reportStyles.demoNote}
      type="info"
      showIcon
      title={t('report.demoSome', { count: demoPhotos, n: number(demoPhotos) })}
      description={t('report.demoWords')}
    />
  )
}

function Overall({ report, all }: { report: FaceReport; all: Slice }) {
  const { t } = useTranslation('faces')
  const { number, rarely, often, between } = useRateWords()
  const nameOf = useSliceName()
  const [chosen, setChosen] = useState(keyOf(all))
  const slice = report.slices.find((other) => keyOf(other) === chosen) ?? all
  const { falseMatch, falseNonMatch } = slice.atDoor
  const curves: Curve[] = [
    {
      kind: 'stranger',
      name: t('error.stranger'),
      points: slice.curve.map(({ score, falseMatch: { rate, low, high } }) => ({ at: score, rate, low, high })),
    },
    {
      kind: 'own',
      name: t('error.own'),
      points: slice.curve.flatMap(({ score, falseNonMatch: own }) => (own ? [{ at: score, ...own }] : [])),
    },
  ].filter(({ points }) => points.length > 1) as Curve[]
  const sentence = t('report.sentence', {
    score: scoreInWords(report.doorScore),
    strangers: rarely(falseMatch.rate),
    own: often(falseNonMatch?.rate ?? null),
  })
  return (
    <div className={styles.overall}>
      <section>
        <Select
          aria-label={t('slices.choose')}
          value={chosen}
          onChange={setChosen}
          options={report.slices.map((option) => ({
            value: keyOf(option),
            label: option.dimension === 'all' ? nameOf(option) : `${t(`slice.dimension.${option.dimension}`)} · ${nameOf(option)}`,
          }))}
          popupMatchSelectWidth={false}
        />
        <Figures
          figures={[
            {
              key: 'stranger',
              value: rarely(falseMatch.rate),
              words: (
                <>
                  {t('report.stranger')}
                  <small>{between(falseMatch, 'rarely')}</small>
                </>
              ),
            },
            {
              key: 'own',
              value: often(falseNonMatch?.rate ?? null),
              words: (
                <>
                  {t('report.own')}
                  <small>{falseNonMatch ? between(falseNonMatch, 'often') : t('report.noGenuine')}</small>
                </>
              ),
            },
            { key: 'equal', value: often(slice.equalErrorRate), words: t('report.equal') },
          ]}
        />
        <p className={styles.words}>
          {t('report.from', {
            persons: number(slice.persons),
            photos: number(slice.photos),
            genuine: number(slice.genuinePairs),
            impostor: number(slice.impostorPairs),
          })}
        </p>
        {slice.genuinePairs === 0 && <Alert type="warning" showIcon title={t('report.onePhoto')} description={t('report.onePhotoWords')} />}
      </section>
      {curves.length > 0 && (
        <Curves
          curves={curves}
          scale="powers"
          axis={t('score')}
          written={scoreInWords}
          mark={{ at: report.doorScore, words: t('report.door', { score: scoreInWords(report.doorScore) }) }}
          words={sentence}
        />
      )}
    </div>
  )
}
