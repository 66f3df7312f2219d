// Takes the addresses of those who ask for donations out of package-lock.json. `npm ci` does not need them.

import { readFileSync, writeFileSync } from "node:fs";

const PLACE = new URL("package-lock.json", import.meta.url);
const lock = JSON.parse(readFileSync(PLACE, "utf8"));
for (const one of Object.values(lock.packages)) delete one.funding;
writeFileSync(PLACE, `${JSON.stringify(lock, null, 2)}\n`);
