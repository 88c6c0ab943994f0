/** The product's mark: a face in a gate. */
export function Mark({ size }: { size: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" style={{ flex: 'none' }}>
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <g fill="none" stroke="#fff" strokeWidth="2.6" strokeLinecap="round">
        <path d="M7.500 25V15.500a8.500 8.5 0 0 1 17 0V25" />
        <path d="M10.9 25c.3-3.1 2.4-4.9 5.1-4.9s4.8 1.8 5.1 4.9" />
      </g>
      <circle cx="16" cy="15.6" r="3.1" fill="#fff" />
    </svg>
  )
}
