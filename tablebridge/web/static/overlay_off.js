// The overlay that may not be shown: nothing on the air, and why not on the console.

console.error(`tablebridge shows no overlay: ${document.body.dataset.why}`);
