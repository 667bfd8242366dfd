// The mark and the name.

export function Brand() {
  return (
    <span class="brand">
      <svg
        viewBox="0 0 24 24"
        width="24"
        height="24"
        fill="none"
        stroke="currentColor"
        stroke-width="1.5"
        aria-hidden="true"
      >
        <path d="M5 3h14v13H5zM3 20.5h18M8 16v4.5M16 16v4.5" />
        <path class="sheen" d="M9 13l6-7" />
      </svg>
      Vitrine
    </span>
  )
}
