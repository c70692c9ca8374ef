// s3rver.mjs FOLDER BUCKET - a store with S3's interface on loopback, with the keys S3RVER and S3RVER; its port is the
// first line of stdout.
import { createRequire } from "node:module";

const require = createRequire(process.env.MODULES + "/");
const S3rver = require("@20minutes/s3rver");
const [folder, ...buckets] = process.argv.slice(2);
const server = new S3rver({
	address: "127.0.0.1", port: 0, silent: true, directory: folder, vhostBuckets: false,
	configureBuckets: buckets.map(name => ({ name })),
});
console.log((await server.run()).port);
