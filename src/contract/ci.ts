/** The second signature: a workflow that refuses a merge whose contracts do not hold. Needs no secrets. */

/** @param file path of the contract file in its repository */
export function ciWorkflow(file: string): string {
  return `# Written by "usher contract ci". Fails when the contracts do not hold, or widen more than their signers allow.
name: contracts
on:
  pull_request:
  push:
    branches: [main]
permissions:
  contents: read
jobs:
  verify:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
          persist-credentials: false
      - uses: actions/setup-node@v4
        with:
          node-version: 20
      - run: npm ci --ignore-scripts
      - name: What was signed before
        if: github.event_name == 'pull_request'
        run: |
          mkdir -p "$RUNNER_TEMP/before"
          for name in "${file}" "${file}.sig"; do
            git show "origin/$GITHUB_BASE_REF:$name" > "$RUNNER_TEMP/before/$(basename "$name")" || rm -f "$RUNNER_TEMP/before/$(basename "$name")"
          done
      - run: npx usher contract verify "${file}" --json --base "$RUNNER_TEMP/before/$(basename "${file}")"
`
}
